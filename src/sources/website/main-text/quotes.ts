/**
 * Removes the boxes around quotations. Quotations and embedded posts are part of the article.
 * Readability drops boxes with little text and many links, so a box that contains only a quotation is replaced by it.
 */
import { descendants, isElement, isText, type PageElement, type PageNode } from '../tree/dom.ts'

const UNWRAPPED = new Set(['blockquote', 'pre'])

export function unwrapQuotes(body: PageElement): void {
  for (const quote of descendants(body)) {
    if (!UNWRAPPED.has(quote.localName)) continue
    for (let box = quote.parentNode; box && box !== body && holdsOnly(box, quote); box = quote.parentNode)
      box.replaceWith(quote)
  }
}

const BOX = new Set(['div', 'figure', 'section', 'span'])

function holdsOnly(box: PageElement, quote: PageElement): boolean {
  if (!BOX.has(box.localName)) return false
  for (let child: PageNode | null = box.firstChild; child; child = child.nextSibling) {
    if ((isElement(child) ? child !== quote : isText(child)) && (child.textContent ?? '').trim() !== '') return false
  }
  return true
}
