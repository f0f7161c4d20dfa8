/**
 * Removes everything above the page's only `<h1>`: banners, breadcrumbs, the name of the site.
 * If a large part of the prose is above it, nothing is removed: the heading is not the article's.
 */
import { descendants, isElement, isText, type PageElement, type PageNode } from '../tree/dom.ts'
import { measureProse } from '../tree/prose.ts'

const MAX_SHARE_ABOVE = 0.2

export function removeAboveHeading(body: PageElement): void {
  const [heading, ...others] = descendants(body).filter(isMainHeading)
  if (!heading || others.length > 0) return
  const prose = measureProse(body)
  const above = nodesAbove(body, heading)
  const chars = above.reduce((sum, node) => sum + (isElement(node) ? prose(node) : textChars(node)), 0)
  if (chars <= prose(body) * MAX_SHARE_ABOVE) for (const node of above) node.remove()
}

const isMainHeading = (element: PageElement): boolean =>
  element.localName === 'h1' && (element.textContent ?? '').trim() !== ''
const textChars = (node: PageNode): number => (isText(node) ? (node.textContent ?? '').trim().length : 0)

/** Earlier siblings of the heading and of its ancestors. */
function nodesAbove(body: PageElement, heading: PageElement): PageNode[] {
  const above: PageNode[] = []
  for (let at = heading; at !== body; ) {
    const parent = at.parentNode
    if (!parent) return []
    for (let child = parent.firstChild; child && child !== at; child = child.nextSibling) above.push(child)
    at = parent
  }
  return above
}
