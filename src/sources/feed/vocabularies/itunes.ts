/** The podcast elements of Apple's directory, and of Google's, which are nearly the same. */

import { PICTURE_RANK, SUMMARY_RANK } from '../draft/written-values.ts'
import { keywords } from './media.ts'
import { secondsIn } from './numbers.ts'
import { author } from './persons.ts'
import { textKind } from './text-kind.ts'
import { type Container, leaf, type Rule, type Vocabulary } from './vocabulary.ts'

const title = leaf((feed, text, attributes, { place, depth }) => {
  const ranked = { text, kind: textKind(attributes, 'guess'), rank: 2, depth }
  if (place === 'entry') feed.entry?.addText('titles', ranked)
  else if (place === 'feed') feed.addTitle(ranked)
})

function summary(rank: number) {
  return leaf((feed, text, attributes, { place, depth }) => {
    if (place === 'entry') feed.entry?.addText('summaries', { text, kind: textKind(attributes, 'html'), rank, depth })
  })
}

const image = leaf((feed, text, attributes, { place, depth, base }) => {
  const href = attributes.firstOf(['href', 'url']) ?? text
  if (place === 'feed') feed.addPicture('images', { href, base, rel: 'image', type: null, depth })
  else if (place === 'entry') feed.entry?.addPicture({ href, base, rank: PICTURE_RANK.own, width: 0 })
})

const duration = leaf((feed, text, _attributes, { place }) => {
  if (place === 'entry' && feed.entry) feed.entry.seconds ??= secondsIn(text.value())
})

/** Categories may be nested: a sub-category is an element inside its category. */
const category: Rule = {
  kind: 'container',
  place: 'inherit',
  open(feed, attributes, { place }) {
    if (place === 'entry') feed.entry?.addCategory(attributes.get('text'))
  },
}

const owner: Container = { kind: 'container', place: 'aside' }

export const itunes: Vocabulary = {
  'itunes:title': title,
  'itunes:author': author(2),
  'itunes:summary': summary(SUMMARY_RANK.podcast),
  'itunes:description': summary(SUMMARY_RANK.podcast),
  'itunes:subtitle': summary(SUMMARY_RANK.podcastSubtitle),
  'itunes:image': image,
  'itunes:duration': duration,
  'itunes:category': category,
  'itunes:keywords': keywords,
  'itunes:owner': owner,
}
