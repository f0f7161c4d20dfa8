/**
 * Quotations are the author's choice, embedded posts included. Sites wrap each in boxes of its own, and a box with little
 * text and many links is what the article algorithm throws away; so a box that holds one quotation and nothing else is taken off.
 */
import { elementsBelow, isElement, isText, type PageElement, type PageNode } from '../tree/dom.ts'

const FREED = new Set(['blockquote', 'pre'])

export function freeQuotes(body: PageElement): void {
  for (const quote of elementsBelow(body)) {
    if (!FREED.has(quote.localName)) continue
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
