/** Finds the heading at the start of a box. A heading such as "Related stories" tells what the box contains. */
import { isElement, isText, type PageElement } from './dom.ts'

const BOXES = new Set(['div', 'section', 'aside', 'header', 'ul', 'ol', 'dl'])
const HEADING = /^h[2-6]$/

/** Looks through at most three nested boxes. */
export function boxTitle(element: PageElement): string | null {
  let at: PageElement | null = BOXES.has(element.localName) ? element : null
  for (let level = 0; at && level <= 3; level++) {
    at = firstElement(at)
    if (at && HEADING.test(at.localName)) return (at.textContent ?? '').replace(/\s+/g, ' ').trim()
    if (at && !BOXES.has(at.localName)) return null
  }
  return null
}

/** The first child element, or null if text comes before it. */
function firstElement(element: PageElement): PageElement | null {
  for (let child = element.firstChild; child; child = child.nextSibling) {
    if (isElement(child)) return child
    if (isText(child) && (child.textContent ?? '').trim() !== '') return null
  }
  return null
}
