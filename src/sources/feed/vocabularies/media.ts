/**
 * Media RSS. YouTube's feeds say all they say in a media:group; its elements count as the entry's own. The title in a
 * media:content is that of a picture or a film: with WordPress, of the author's portrait.
 */

import { SUMMARY_RANK } from '../draft/written-values.ts'
import { ANY_ELEMENT } from '../elements/element-text.ts'
import { MAX_OF_A_KIND } from '../limits.ts'
import { textKind } from './text-kind.ts'
import { type Container, leaf, type Vocabulary } from './vocabulary.ts'

const content: Container = {
  kind: 'container',
  place: 'inherit',
  open(feed) {
    feed.inMediaContent = true
  },
  close(feed) {
    feed.inMediaContent = false
  },
}

const title = leaf((feed, text, attributes, { place, depth }) => {
  const which = feed.inMediaContent ? 'mediaTitles' : 'titles'
  if (place === 'entry') feed.entry?.addText(which, { text, kind: textKind(attributes, 'guess'), rank: 3, depth })
})

/** Said to be plain by default, and HTML as often as not. */
const description = leaf((feed, text, attributes, { place, depth }) => {
  const kind = textKind(attributes, 'guess')
  if (place === 'entry') feed.entry?.addText('summaries', { text, kind, rank: SUMMARY_RANK.media, depth })
})

const category = leaf((feed, text, attributes, { place }) => {
  if (place !== 'entry') return
  feed.entry?.addCategory(text)
  feed.entry?.addCategory(attributes.get('label'))
})

/** In one text with commas, or in an element each. */
export const keywords = leaf((feed, text, _attributes, { place }) => {
  if (place !== 'entry') return
  const written = text.listed(ANY_ELEMENT) ?? text.value().split(',', MAX_OF_A_KIND)
  for (const keyword of written) feed.entry?.addCategory(keyword)
})

export const media: Vocabulary = {
  'media:content': content,
  'media:title': title,
  'media:description': description,
  'media:category': category,
  'media:keywords': keywords,
}
