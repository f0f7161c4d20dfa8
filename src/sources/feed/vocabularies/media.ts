/**
 * Media RSS. YouTube puts everything into a media:group, whose elements count as the entry's own. The title in a
 * media:content belongs to a picture or a video; with WordPress it is the author's portrait.
 */

import type { FeedDraft } from '../draft/feed-draft.ts'
import { PICTURE_RANK, SUMMARY_RANK } from '../draft/written-values.ts'
import type { Attributes } from '../elements/attributes.ts'
import { ANY_ELEMENT } from '../elements/element-text.ts'
import { MAX_OF_A_KIND } from '../limits.ts'
import { secondsIn, wholeNumber } from './numbers.ts'
import { textKind } from './text-kind.ts'
import { type Container, leaf, type Vocabulary } from './vocabulary.ts'

const content: Container = {
  kind: 'container',
  place: 'inherit',
  open(feed, attributes, { place }, base) {
    feed.inMediaContent = true
    if (place === 'entry') noteMedia(feed, attributes, base)
  },
  close(feed) {
    feed.inMediaContent = false
  },
}

/** A picture may be the entry's; a sound or a video is one of its files. Everything else is ignored, Flash too. */
function noteMedia(feed: FeedDraft, attributes: Attributes, base: string | null): void {
  const href = attributes.get('url')
  if (href === null) return
  const type = attributes.lower('type')
  const medium = attributes.lower('medium') ?? type?.split('/', 1)[0] ?? mediumOf(href)
  if (medium === 'image') {
    feed.entry?.addPicture({ href, base, rank: PICTURE_RANK.media, width: wholeNumber(attributes.get('width')) ?? 0 })
  } else if (medium === 'audio' || medium === 'video') {
    const length = wholeNumber(attributes.get('filesize'))
    feed.entry?.addEnclosure({ href, base, type, length, seconds: secondsIn(attributes.get('duration')) })
  }
}

function mediumOf(href: string): string | null {
  return /\.(?:jpe?g|png|gif|webp|avif)(?:$|\?)/i.test(href) ? 'image' : null
}

const thumbnail = leaf((feed, text, attributes, { place, base }) => {
  const width = wholeNumber(attributes.get('width')) ?? 0
  const href = attributes.firstOf(['url', 'href']) ?? text
  if (place === 'entry') feed.entry?.addPicture({ href, base, rank: PICTURE_RANK.thumbnail, width })
})

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
  'media:thumbnail': thumbnail,
  'media:title': title,
  'media:description': description,
  'media:category': category,
  'media:keywords': keywords,
}
