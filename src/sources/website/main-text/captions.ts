/**
 * Captions of figures are no part of the text, and are removed before it is looked for. The HTML of the page has them
 * again: until then each waits in an attribute of its figure.
 */
import { escapeHtml } from '../../html/text-as-html.ts'
import { descendants, type PageElement } from '../tree/dom.ts'

const WAITING = 'data-waiting-caption'
const MAX_CHARS = 2_000
const FIGURE = new RegExp(`<figure([^>]*?) ${WAITING}="([^"]*)"([^>]*)>([\\s\\S]*?)</figure>`, 'g')

/** `html`: of the page. Most have no captions, and then nothing has to be looked for. */
export function setCaptionsAside(body: PageElement, html: string): void {
  if (!/<figcaption/i.test(html)) return
  for (const caption of descendants(body)) {
    const figure = caption.parentNode
    if (caption.localName !== 'figcaption' || figure?.localName !== 'figure') continue
    const text = (caption.textContent ?? '').replace(/\s+/g, ' ').trim().slice(0, MAX_CHARS).toWellFormed()
    if (text !== '') figure.setAttribute(WAITING, escapeHtml(text))
  }
}

export function withCaptions(html: string): string {
  if (!html.includes(WAITING)) return html
  return html.replace(FIGURE, '<figure$1$3>$4<figcaption>$2</figcaption></figure>')
}
