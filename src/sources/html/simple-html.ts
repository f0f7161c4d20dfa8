/**
 * Cleans HTML that is simple and well-formed: elements that may stay, properly nested, with quoted attributes. That is
 * most of what feeds carry, and one pass over it costs a tenth of what a parser costs. Anything else, however slightly
 * odd, returns null and is left to the parser. What it writes is what sanitize-html would write, and tests hold it to
 * that. Nothing that begins with '<' is written unless it is a listed tag in this strict form.
 * See docs/decisions/0165-simple-html-is-cleaned-without-a-parser.md
 */
import { simpleReferenceAt } from './simple-references.ts'
import type { SimpleRules } from './simple-rules.ts'
import { AS_WRITTEN, SimpleTags } from './simple-tags.ts'
import { escapeHtml } from './text-as-html.ts'

export function cleanSimpleHtml(html: string, base: string, rules: SimpleRules): string | null {
  const tags = new SimpleTags(html, base, rules)
  let clean = ''
  /** What follows from here is copied as it is, up to the next change. */
  let from = 0
  // Where each special character comes next, so that nothing is searched twice.
  let open = next('<', html, 0)
  let close = next('>', html, 0)
  let ampersand = next('&', html, 0)
  for (;;) {
    const at = Math.min(open, close, ampersand)
    if (at === html.length) return clean + html.slice(from) + tags.closeAll()
    let written: string | typeof AS_WRITTEN | null = '&gt;'
    let end = at + 1
    if (at === open) {
      written = tags.read(at)
      end = tags.end
      open = next('<', html, end)
    } else if (at === ampersand) {
      const reference = simpleReferenceAt(html, at)
      written = reference && escaped(reference.text)
      end = at + (reference?.length ?? 0)
    }
    if (written === null) return null
    if (close < end) close = next('>', html, end)
    if (ampersand < end) ampersand = next('&', html, end)
    if (written === AS_WRITTEN) continue
    clean += html.slice(from, at) + written
    from = end
  }
}

/** The end of the text if there is none. */
function next(character: string, html: string, from: number): number {
  const found = html.indexOf(character, from)
  return found < 0 ? html.length : found
}

/** Nearly all references stand for one character that needs no escaping. */
function escaped(text: string): string {
  return text.length === 1 && text > '>' ? text : escapeHtml(text)
}
