/** XHTML elements in feeds: a body in an entry is its content, but a whole page is not a feed. */
import type { TextKind } from './text-kind.ts'
import { type Leaf, leaf, type Rule, type Vocabulary } from './vocabulary.ts'

function body(kind: TextKind): Leaf {
  return leaf((feed, text, _attributes, { place, depth, base }) => {
    if (place === 'entry') feed.entry?.addText('contents', { text, kind, rank: 0, depth, base })
  })
}

/** A leaf, so that nothing in a page is taken for part of a feed. */
const page = leaf(() => {})

export const xhtml: Vocabulary = {
  body: body('html'),
  'xhtml:body': body('xhtml'),
  'xhtml:div': body('xhtml'),
  html: page,
  'xhtml:html': page,
}

const rules = new Set<Rule>(Object.values(xhtml))

/** Whether the rule is for an element of a page, which hides everything in it. */
export function isOfPage(rule: Rule): boolean {
  return rules.has(rule)
}
