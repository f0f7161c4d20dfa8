/** Channel Definition Format, a predecessor of RSS that keeps links and dates in attributes. */

import type { FeedDraft } from '../draft/feed-draft.ts'
import { SUMMARY_RANK } from '../draft/written-values.ts'
import { Attributes } from '../elements/attributes.ts'
import { textKind } from './text-kind.ts'
import { leaf, type Vocabulary } from './vocabulary.ts'

/** Reads the attributes of a channel or item. Other formats do not have them. */
export function readCdfAttributes(feed: FeedDraft, attributes: Attributes, base: string | null): void {
  if (attributes === Attributes.none) return
  const href = attributes.get('href')
  const lastModified = attributes.get('lastmod')
  const target = feed.entry ?? feed
  if (href) target.addLink({ href, base, rel: 'alternate', type: null, depth: 0 })
  if (lastModified && feed.entry) feed.entry?.addDate('updated', { text: lastModified, rank: 0, depth: 0 })
}

const abstract = leaf((feed, text, attributes, { place, depth }) => {
  const ranked = { text, kind: textKind(attributes, 'guess'), rank: SUMMARY_RANK.abstract, depth }
  if (place === 'entry') feed.entry?.addText('summaries', ranked)
})

export const cdf: Vocabulary = { abstract }
