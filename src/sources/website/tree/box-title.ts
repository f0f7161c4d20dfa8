/** The heading a box of the page opens with: a box titled "Related stories" says itself what it is. */
import { isElement, isText, type PageElement } from './dom.ts'

const BOXES = new Set(['div', 'section', 'aside', 'header', 'ul', 'ol', 'dl'])
const HEADING = /^h[2-6]$/

/** The heading a box opens with, through at most three boxes in it. */
export function boxTitle(element: PageElement): string | null {
  let at: PageElement | null = BOXES.has(element.localName) ? element : null
  for (let level = 0; at && level <= 3; level++) {
    at = firstElement(at)
    if (at && HEADING.test(at.localName)) return (at.textContent ?? '').replace(/\s+/g, ' ').trim()
    if (at && !BOXES.has(at.localName)) return null
  }
  return null
}

/** The first child, if it is an element and no text stands before it. */
function firstElement(element: PageElement): PageElement | null {
  for (let child = element.firstChild; child; child = child.nextSibling) {
    if (isElement(child)) return child
    if (isText(child) && (child.textContent ?? '').trim() !== '') return null
  }
  return null
}
