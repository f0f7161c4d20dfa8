/**
 * Measures how much running text each element contains: characters outside links and controls.
 * The whole tree is counted once. Every rule that removes an element checks this number first,
 * so that a misleading class name cannot remove the article.
 */

import { isInvisible } from '../blocks/block-elements.ts'
import { isElement, isText, nextNode, type PageElement, type PageNode } from './dom.ts'

export type Prose = (element: PageElement) => number

const NOT_PROSE = new Set(['a', 'button', 'label', 'nav'])

/** Links, controls and invisible elements do not count as prose. */
export const isProse = (element: PageElement): boolean =>
  !NOT_PROSE.has(element.localName) && !isInvisible(element.localName)

export function measureProse(root: PageElement): Prose {
  const counts = new Map<PageElement, number>()
  let node: PageNode | null = root
  while (node) {
    const skip = isElement(node) && !isProse(node)
    if (isText(node)) addToAncestors(root, node, (node.textContent ?? '').trim().length, counts)
    node = nextNode(root, node, skip)
  }
  return (element) => counts.get(element) ?? 0
}

function addToAncestors(root: PageElement, text: PageNode, length: number, counts: Map<PageElement, number>): void {
  if (length === 0) return
  for (let at = text.parentNode; at; at = at.parentNode) {
    counts.set(at, (counts.get(at) ?? 0) + length)
    if (at === root) return
  }
}
