/** Reads the blocks of a tree: a walk without recursion that skips invisible elements. */

import { isElement, isText, nextNode, type PageElement, type PageNode } from '../tree/dom.ts'
import type { Block } from './block.ts'
import { BlockBuilder } from './block-builder.ts'
import { isInvisible, LAYOUT_CELL } from './block-elements.ts'

export function treeBlocks(root: PageElement, noscript = false): Block[] {
  const builder = new BlockBuilder()
  let node: PageNode | null = root
  while (node) {
    if (isText(node)) builder.text(node.textContent ?? '')
    else if (isElement(node) && !isInvisible(node.localName) && (noscript || node.localName !== 'noscript')) {
      builder.open(nameOf(node), node.getAttribute('href'))
      if (node.firstChild) {
        node = node.firstChild
        continue
      }
      builder.close(nameOf(node), node.getAttribute('href'))
    }
    node = ascend(root, node, builder)
  }
  return builder.finish()
}

/** The next node after `node` and its descendants. Every element that the walk leaves is closed. */
function ascend(root: PageElement, node: PageNode, builder: BlockBuilder): PageNode | null {
  let at: PageNode = node
  while (at !== root) {
    if (at.nextSibling) return at.nextSibling
    const parent: PageElement | null = at.parentNode
    if (!parent) return null
    builder.close(nameOf(parent), parent.getAttribute('href'))
    at = parent
  }
  return null
}

const nameOf = (element: PageElement): string =>
  element.localName === 'td' && isLayout(element) ? LAYOUT_CELL : element.localName

const LAYOUT_ELEMENTS = new Set(['article', 'form', 'h1', 'h2', 'h3', 'hr', 'main', 'section', 'table'])

/** Old pages use tables for layout. A cell with headings, rules, tables or several paragraphs is layout, not data. */
function isLayout(cell: PageElement): boolean {
  let paragraphs = 0
  for (let node = nextNode(cell, cell); node; node = nextNode(cell, node)) {
    if (!isElement(node)) continue
    if (node.localName === 'p') paragraphs++
    if (paragraphs > 1 || LAYOUT_ELEMENTS.has(node.localName)) return true
  }
  return false
}
