/** XHTML beside the feed's own elements: a body in an entry is its content, a whole page is no feed. */
import type { TextKind } from './text-kind.ts'
import { type Leaf, leaf, type Rule, type Vocabulary } from './vocabulary.ts'

function body(kind: TextKind): Leaf {
  return leaf((feed, text, _attributes, { place, depth }) => {
    if (place === 'entry') feed.entry?.addText('contents', { text, kind, rank: 0, depth })
  })
}

/** Swallowed whole, so that nothing in a page is mistaken for part of a feed. */
const page = leaf(() => {})

export const xhtml: Vocabulary = {
  body: body('html'),
  'xhtml:body': body('xhtml'),
  'xhtml:div': body('xhtml'),
  html: page,
  'xhtml:html': page,
}

const rules = new Set<Rule>(Object.values(xhtml))

/** Whether it is of a page, which hides whatever is in it. */
export function isOfPage(rule: Rule): boolean {
  return rules.has(rule)
}
