/**
 * What stands before the root of a document: the XML declaration, other instructions, and whatever a server put there
 * by mistake, be it tags. What looks like a declaration further on is only quoted there.
 *
 * The root is known by its name, under any prefix: that of a feed, or of what is left of one, and of JSON its brace;
 * that of a page, or the first thing in the head of one that has none.
 */

const COMMENT = /<!--[\s\S]*?(?:-->|$)/g
const ROOTS = {
  xml: /^\s*\{|<(?:[\w.-]+:)?(?:rss|feed|rdf|channel|item|entry)(?=[\s/>])/i,
  html: /<(?:html|head|title|meta|link|script|style|body)(?=[\s/>])/i,
}

/** From the beginning of a document, all of it if there is no root. Comments are blanks, so that all stays in its place. */
export function prologOf(beginning: string, kind: 'xml' | 'html'): string {
  const before = beforeRoot(beginning, kind)
  // A comment behind the root changes nothing, so most documents need not be searched for one.
  return before.includes('<!--') ? beforeRoot(beginning.replace(COMMENT, blanked), kind) : before
}

function beforeRoot(text: string, kind: 'xml' | 'html'): string {
  const root = text.search(ROOTS[kind])
  return root < 0 ? text : text.slice(0, root)
}

function blanked(comment: string): string {
  return ' '.repeat(comment.length)
}
