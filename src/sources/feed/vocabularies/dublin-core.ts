/**
 * Dublin Core, which RSS 1.0 uses for facts that it has no elements for. It ranks behind the elements of the formats.
 * PRISM, a vocabulary of journals, adds a date.
 */

import { SUMMARY_RANK } from '../draft/written-values.ts'
import { author } from './persons.ts'
import { textKind } from './text-kind.ts'
import { type Leaf, leaf, type Vocabulary } from './vocabulary.ts'

const title = leaf((feed, text, attributes, { place, depth }) => {
  const ranked = { text, kind: textKind(attributes, 'guess'), rank: 1, depth }
  if (place === 'entry') feed.entry?.addText('titles', ranked)
  else if (place === 'feed') feed.addTitle(ranked)
})

const description = leaf((feed, text, attributes, { place, depth }) => {
  const ranked = { text, kind: textKind(attributes, 'html'), rank: SUMMARY_RANK.dublinCore, depth }
  if (place === 'entry') feed.entry?.addText('summaries', ranked)
})

/** One subject, or an RDF list of subjects. */
const subject = leaf((feed, text, _attributes, { place }) => {
  if (place !== 'entry') return
  for (const one of text.listed() ?? [text]) feed.entry?.addCategory(one)
})

const identifier = leaf((feed, text, _attributes, { place, depth, base }) => {
  if (place === 'entry') feed.entry?.addGuid({ text, permaLink: null, base, depth: depth + 1 })
})

const language = leaf((feed, text, _attributes, { place }) => {
  if (place === 'feed') feed.language ??= text.value() || null
  else if (place === 'entry' && feed.entry) feed.entry.language ??= text.value() || null
})

/** Ranks behind all dates of the formats themselves. */
function date(which: 'published' | 'updated' | 'created', rank = 2): Leaf {
  return leaf((feed, text, _attributes, { place, depth }) => {
    if (place === 'entry') feed.entry?.addDate(which, { text, rank, depth })
  })
}

export const dublinCore: Vocabulary = {
  'dc:title': title,
  'dc:description': description,
  'dc:creator': author(1),
  'dc:author': author(1),
  'dc:subject': subject,
  'dc:identifier': identifier,
  'dc:language': language,
  'dc:date': date('updated'),
  'dcterms:title': title,
  'dcterms:description': description,
  'dcterms:abstract': description,
  'dcterms:creator': author(1),
  'dcterms:subject': subject,
  'dcterms:identifier': identifier,
  'dcterms:language': language,
  'dcterms:date': date('updated'),
  'dcterms:issued': date('published'),
  'dcterms:modified': date('updated'),
  'dcterms:created': date('created'),
  'prism:publicationdate': date('updated', 3),
}
