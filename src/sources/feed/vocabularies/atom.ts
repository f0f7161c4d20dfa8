/** Atom 0.3 and 1.0, and the elements that RSS shares with it: title, link, category. */

import type { EntryDraft } from '../draft/entry-draft.ts'
import { SUMMARY_RANK } from '../draft/written-values.ts'
import type { Attributes } from '../elements/attributes.ts'
import { readCdfAttributes } from './cdf.ts'
import { wholeNumber } from './numbers.ts'
import { contentKind, textKind } from './text-kind.ts'
import { type Container, type Leaf, leaf, type Rule, type Vocabulary } from './vocabulary.ts'

const root: Rule = {
  kind: 'container',
  place: 'feed',
  open(feed, attributes) {
    feed.isFeed = true
    feed.untyped = 'text'
    feed.inheritsAuthors = true
    feed.language ??= attributes.firstOf(['xml:lang', 'lang'])
  },
}

const entry: Rule = {
  kind: 'container',
  place: 'entry',
  flat: true,
  open(feed, attributes, around, base) {
    if (around.depth === 0) {
      feed.isFeed = true
      feed.untyped = 'text'
      feed.inheritsAuthors = true
    }
    const started = feed.startEntry()
    if (started === null) return
    started.language = attributes.get('xml:lang')
    readCdfAttributes(feed, attributes, base)
  },
  close(feed) {
    // With a damaged or unknown root, an entry with only a title does not make the document a feed.
    feed.isFeed ||= feed.entry?.hasMoreThanTitle ?? false
    feed.endEntry()
  },
}

const title = leaf((feed, text, attributes, { place, depth }) => {
  const ranked = { text, kind: textKind(attributes, feed.untyped), rank: 0, depth }
  if (place === 'entry') feed.entry?.addText('titles', ranked)
  else if (place === 'feed') feed.addTitle(ranked)
})

/** A relation may be written as its address in the IANA registry. */
const REGISTRY = /^https?:\/\/www\.iana\.org\/assignments\/(?:link-)?relations?\//

const MAX_RELATIONS = 4
/** An Atom link without a relation in RSS often means the feed itself, so it ranks behind RSS links, which are text. */
const DEPTH_BEHIND_TEXT = 0.5
const TARGET = ['href', 'url', 'uri', 'rdf:resource']

const link = leaf((feed, text, attributes, { place, depth, base }) => {
  const target = place === 'entry' ? feed.entry : place === 'feed' ? feed : null
  if (target === null) return
  const written = attributes.lower('rel')
  const rel = written?.replace(REGISTRY, '') ?? 'alternate'
  const type = attributes.lower('type')
  const href = attributes.firstOf(TARGET)
  const depthOfHref = feed.isRss && written === null ? depth + DEPTH_BEHIND_TEXT : depth
  // One link may have several relations, as in HTML.
  const relations = rel.includes(' ') ? rel.split(/\s+/, MAX_RELATIONS) : [rel]
  for (let at = 0; at < relations.length; at++) {
    const relation = relations[at] as string
    if (href !== null) {
      target.addLink({ href, base, rel: relation, type, depth: depthOfHref })
      if (target === feed.entry) noteFile(feed.entry, relation, attributes, { href, base, type })
    }
    if (!text.isEmpty) target.addLink({ href: text, base, rel: relation, type, depth })
  }
})

/** An enclosure, or a link to the page with the comments. */
function noteFile(
  entry: EntryDraft,
  relation: string,
  attributes: Attributes,
  { href, base, type }: { href: string; base: string | null; type: string | null },
): void {
  if (relation === 'enclosure') {
    entry.addEnclosure({ href, base, type, length: wholeNumber(attributes.get('length')), seconds: null })
  }
  if (relation === 'replies' && (type === null || type.includes('html'))) {
    entry.addComments({ href, base, rel: relation, type, depth: 0 })
  }
}

const id = leaf((feed, text, _attributes, { place, depth, base }) => {
  if (place === 'entry') feed.entry?.addGuid({ text, permaLink: null, base, depth })
})

/** In RSS it ranks behind the description. */
const summary = leaf((feed, text, attributes, { place, depth, base }) => {
  if (place !== 'entry') return
  const kind = textKind(attributes, feed.isRss ? 'html' : 'text')
  const rank = feed.isRss ? SUMMARY_RANK.summary : SUMMARY_RANK.description
  feed.entry?.addText('summaries', { text, kind, rank, depth, base })
})

/** Atom 0.3 can contain several versions of the same content. */
const alternatives: Container = {
  kind: 'container',
  place: 'inherit',
  open(feed) {
    feed.inAlternatives = true
  },
  close(feed) {
    feed.inAlternatives = false
  },
}

/** Content with `src` is at another address. What the element itself holds is ignored then. */
const content = leaf(
  (feed, text, attributes, { place, depth, base }) => {
    if (place !== 'entry' || attributes.get('src') !== null) return
    const kind = contentKind(attributes, feed.isRss ? 'html' : 'text')
    const rank = feed.inAlternatives && kind === 'text' ? 1 : 0
    feed.entry?.addText('contents', { text, kind, rank, depth, base })
    if (feed.entry) feed.entry.language ??= attributes.get('xml:lang')
  },
  (attributes) => (attributes.lower('type')?.startsWith('multipart/') ? alternatives : null),
)

/** Dates of Atom 0.3 rank behind those of 1.0 if a feed uses both. */
function date(which: 'published' | 'updated' | 'created', rank = 0): Leaf {
  return leaf((feed, text, _attributes, { place, depth }) => {
    if (place === 'entry') feed.entry?.addDate(which, { text, rank, depth })
  })
}

const category = leaf((feed, text, attributes, { place }) => {
  if (place !== 'entry') return
  const term = attributes.get('term')
  const label = attributes.get('label')
  feed.entry?.addCategory(term)
  feed.entry?.addCategory(label === term ? null : label)
  if (!text.isEmpty) feed.entry?.addCategory(text)
})

export function picture(which: 'icons' | 'images'): Leaf {
  return leaf((feed, text, attributes, { place, depth, base }) => {
    const href = attributes.firstOf(['href', 'url']) ?? text
    if (place === 'feed') feed.addPicture(which, { href, base, rel: which, type: null, depth })
  })
}

export const atom: Vocabulary = {
  feed: root,
  entry,
  title,
  link,
  id,
  summary,
  content,
  published: date('published'),
  issued: date('published', 1),
  updated: date('updated'),
  modified: date('updated', 1),
  date: date('updated', 1),
  created: date('created'),
  category,
  icon: picture('icons'),
  logo: picture('images'),
}
