/**
 * How much running text each element holds: characters of text outside links and controls, counted once for a whole tree.
 * Every rule that removes something asks here first, so that no class name can take the article with it.
 */

import { isSilent } from '../blocks/blocks.ts'
import { following, isElement, isText, type PageElement, type PageNode } from './dom.ts'

export type Prose = (element: PageElement) => number

const NOT_PROSE = new Set(['a', 'button', 'label', 'nav'])

/** Links, controls and what no reader sees are not prose. */
export const isProse = (element: PageElement): boolean =>
  !NOT_PROSE.has(element.localName) && !isSilent(element.localName)

export function measureProse(root: PageElement): Prose {
  const counts = new Map<PageElement, number>()
  let node: PageNode | null = root
  while (node) {
    const skip = isElement(node) && !isProse(node)
    if (isText(node)) credit(root, node, (node.textContent ?? '').trim().length, counts)
    node = following(root, node, skip)
  }
  return (element) => counts.get(element) ?? 0
}

function credit(root: PageElement, text: PageNode, length: number, counts: Map<PageElement, number>): void {
  if (length === 0) return
  for (let at = text.parentNode; at; at = at.parentNode) {
    counts.set(at, (counts.get(at) ?? 0) + length)
    if (at === root) return
  }
}
