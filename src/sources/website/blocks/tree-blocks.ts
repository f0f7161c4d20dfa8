/** Blocks of a tree: a walk without recursion that skips what no reader sees. */

import { following, isElement, isText, type PageElement, type PageNode } from '../tree/dom.ts'
import { type Block, BlockBuilder, isSilent, LAYOUT_CELL } from './blocks.ts'

export function treeBlocks(root: PageElement, noscript = false): Block[] {
  const builder = new BlockBuilder()
  let node: PageNode | null = root
  while (node) {
    if (isText(node)) builder.text(node.textContent ?? '')
    else if (isElement(node) && !isSilent(node.localName) && (noscript || node.localName !== 'noscript')) {
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

/** The next node after `node` and all below it; every element left on the way is closed. */
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

const OF_PAGES = new Set(['article', 'form', 'h1', 'h2', 'h3', 'hr', 'main', 'section', 'table'])

/** Old pages are laid out in tables. A piece of data has no headings, lines, tables or paragraphs in it. */
function isLayout(cell: PageElement): boolean {
  let paragraphs = 0
  for (let node = following(cell, cell); node; node = following(cell, node)) {
    if (!isElement(node)) continue
    if (node.localName === 'p') paragraphs++
    if (paragraphs > 1 || OF_PAGES.has(node.localName)) return true
  }
  return false
}
