/**
 * Media RSS. YouTube puts everything into a media:group, whose elements count as the entry's own. The title in a
 * media:content belongs to a picture or a video; with WordPress it is the author's portrait.
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

/** Plain text by definition, but often HTML in practice. */
const description = leaf((feed, text, attributes, { place, depth }) => {
  const kind = textKind(attributes, 'guess')
  if (place === 'entry') feed.entry?.addText('summaries', { text, kind, rank: SUMMARY_RANK.media, depth })
})

const category = leaf((feed, text, attributes, { place }) => {
  if (place !== 'entry') return
  feed.entry?.addCategory(text)
  feed.entry?.addCategory(attributes.get('label'))
})

/** One text with commas, or an element for each keyword. */
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
