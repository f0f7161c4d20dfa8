/**
 * The little of the DOM that reading a page needs, as types and as walks.
 * linkedom speaks it; nothing outside this folder knows which library built the tree.
 * Walks are loops, not recursion: the depth of a page is the page's choice.
 */

export type PageNode = {
  readonly nodeType: number
  readonly parentNode: PageElement | null
  readonly nextSibling: PageNode | null
  readonly textContent: string | null
  remove(): void
  replaceWith(node: PageNode): void
}

export type PageElement = PageNode & {
  readonly localName: string
  readonly firstChild: PageNode | null
  readonly innerHTML: string
  getAttribute(name: string): string | null
  hasAttribute(name: string): boolean
  removeAttribute(name: string): void
  append(node: PageNode): void
  prepend(node: PageNode): void
}

export type PageDocument = {
  readonly documentElement: PageElement | null
  readonly body: PageElement | null
}

export const isElement = (node: PageNode): node is PageElement => node.nodeType === 1
export const isText = (node: PageNode): boolean => node.nodeType === 3

/** The node after `node` in document order, inside `root`; with `skip`, its descendants are left out. */
export function following(root: PageNode, node: PageNode, skip = false): PageNode | null {
  if (!skip && isElement(node) && node.firstChild) return node.firstChild
  let at: PageNode | null = node
  while (at && at !== root) {
    if (at.nextSibling) return at.nextSibling
    at = at.parentNode
  }
  return null
}

/** All elements below `root` in document order; safe against removal of what was already given. */
export function elementsBelow(root: PageElement): PageElement[] {
  const found: PageElement[] = []
  for (let node = following(root, root); node; node = following(root, node)) if (isElement(node)) found.push(node)
  return found
}

/** Removes every element for which `unwanted` says so; what stands below a removed one is not asked. */
export function removeWhere(root: PageElement, unwanted: (element: PageElement) => boolean): void {
  let node = following(root, root)
  while (node) {
    if (isElement(node) && unwanted(node)) {
      const next = following(root, node, true)
      node.remove()
      node = next
    } else node = following(root, node)
  }
}

export function isInside(element: PageElement, outer: PageElement): boolean {
  for (let at = element.parentNode; at; at = at.parentNode) if (at === outer) return true
  return false
}
