/** The podcast namespace: transcripts of an episode. Its other elements are not used. */
import { leaf, type Vocabulary } from './vocabulary.ts'

const transcript = leaf((feed, _text, attributes, { place, base }) => {
  const href = place === 'entry' ? attributes.get('url') : null
  if (href === null) return
  feed.entry?.addTranscript({ href, base, type: attributes.lower('type') ?? '', language: attributes.get('language') })
})

export const podcasting: Vocabulary = { 'podcast:transcript': transcript }
