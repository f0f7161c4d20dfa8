/**
 * Cleans HTML that is simple and well-formed: elements that may stay, properly nested, with quoted attributes. That is
 * most of what feeds carry, and one pass over it costs a tenth of what a parser costs. Anything else, however slightly
 * odd, returns null and is left to the parser. What it writes is what sanitize-html would write, and tests hold it to
 * that. Nothing that begins with '<' is written unless it is a listed tag in this strict form.
 * See docs/decisions/0165-simple-html-is-cleaned-without-a-parser.md
 */
import { simpleReferenceAt } from './simple-references.ts'
import { AS_WRITTEN, type SimpleRules, SimpleTags, type Transforms } from './simple-tags.ts'
import { escapeHtml } from './text-as-html.ts'

export function cleanSimpleHtml(html: string, rules: SimpleRules, transforms: Transforms): string | null {
  const tags = new SimpleTags(html, rules, transforms)
  const special = /[<>&]/g
  let clean = ''
  /** What follows from here is copied as it is, up to the next change. */
  let from = 0
  for (let found = special.exec(html); found; found = special.exec(html)) {
    const at = found.index
    let written: string | typeof AS_WRITTEN | null = '&gt;'
    if (found[0] === '<') {
      written = tags.read(at)
      special.lastIndex = tags.end
    } else if (found[0] === '&') {
      const reference = simpleReferenceAt(html, at)
      written = reference && escapeHtml(reference.text)
      special.lastIndex = at + (reference?.length ?? 0)
    }
    if (written === null) return null
    if (written === AS_WRITTEN) continue
    clean += html.slice(from, at) + written
    from = special.lastIndex
  }
  return clean + html.slice(from) + tags.closeAll()
}
