/**
 * Finds what stands before the root of a document: the XML declaration, other instructions, and anything that a server
 * put there by mistake. What looks like a declaration behind the root is only a quotation.
 *
 * The root of a feed is recognised by its name with any prefix, that of a damaged feed by an item or entry, that of JSON
 * by its brace. The root of a page is <html>, or the first element of its head if that is missing.
 */

const COMMENT = /<!--[\s\S]*?(?:-->|$)/g
const ROOTS = {
  xml: /^\s*\{|<(?:[\w.-]+:)?(?:rss|feed|rdf|channel|item|entry)(?=[\s/>])/i,
  html: /<(?:html|head|title|meta|link|script|style|body)(?=[\s/>])/i,
}

/** Returns all of `beginning` if there is no root. Comments are replaced by spaces, so that positions stay the same. */
export function prologOf(beginning: string, kind: 'xml' | 'html'): string {
  const before = beforeRoot(beginning, kind)
  // Only comments before the root matter, and most documents have none there.
  return before.includes('<!--') ? beforeRoot(beginning.replace(COMMENT, blanked), kind) : before
}

function beforeRoot(text: string, kind: 'xml' | 'html'): string {
  const root = text.search(ROOTS[kind])
  return root < 0 ? text : text.slice(0, root)
}

function blanked(comment: string): string {
  return ' '.repeat(comment.length)
}
