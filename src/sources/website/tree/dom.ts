/**
 * The part of the DOM that the page reader uses: types, and functions that walk the tree.
 * linkedom implements it. Only this folder knows which library built the tree.
 * The walks are loops, not recursion, because a page may be nested arbitrarily deep.
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
  setAttribute(name: string, value: string): void
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

/** The node after `node` in document order, inside `root`. `skip` leaves out the descendants of `node`. */
export function nextNode(root: PageNode, node: PageNode, skip = false): PageNode | null {
  // The properties of linkedom's nodes are functions that walk, so each is asked once.
  const child = !skip && isElement(node) ? node.firstChild : null
  if (child) return child
  let at: PageNode | null = node
  while (at && at !== root) {
    const next: PageNode | null = at.nextSibling
    if (next) return next
    at = at.parentNode
  }
  return null
}

/** All elements below `root` in document order. The result is a copy, so callers may remove elements while they loop. */
export function descendants(root: PageElement): PageElement[] {
  const found: PageElement[] = []
  for (let node = nextNode(root, root); node; node = nextNode(root, node)) if (isElement(node)) found.push(node)
  return found
}

/** Removes every element for which `unwanted` returns true. It is not called for descendants of a removed element. */
export function removeWhere(root: PageElement, unwanted: (element: PageElement) => boolean): void {
  let node = nextNode(root, root)
  while (node) {
    if (isElement(node) && unwanted(node)) {
      const next = nextNode(root, node, true)
      node.remove()
      node = next
    } else node = nextNode(root, node)
  }
}

export function isInside(element: PageElement, outer: PageElement): boolean {
  for (let at = element.parentNode; at; at = at.parentNode) if (at === outer) return true
  return false
}

/** All elements that contain one of these. */
export function ancestorsOf(elements: readonly PageElement[]): Set<PageElement> {
  const holders = new Set<PageElement>()
  for (const element of elements)
    for (let at = element.parentNode; at && !holders.has(at); at = at.parentNode) holders.add(at)
  return holders
}
