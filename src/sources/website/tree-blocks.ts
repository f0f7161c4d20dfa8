/** Blocks of a tree: a walk without recursion that skips what no reader sees. */
import { type Block, BlockBuilder, isSilent } from './blocks.ts'
import { isElement, isText, type PageElement, type PageNode } from './dom.ts'

export function treeBlocks(root: PageElement, noscript = false): Block[] {
  const builder = new BlockBuilder()
  let node: PageNode | null = root
  while (node) {
    if (isText(node)) builder.text(node.textContent ?? '')
    else if (isElement(node) && !isSilent(node.localName) && (noscript || node.localName !== 'noscript')) {
      builder.open(node.localName, node.getAttribute('href'))
      if (node.firstChild) {
        node = node.firstChild
        continue
      }
      builder.close(node.localName, node.getAttribute('href'))
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
    builder.close(parent.localName, parent.getAttribute('href'))
    at = parent
  }
  return null
}
