/**
 * What stands above the page's one main heading is not the article: banners, kickers, breadcrumbs, the site's own words.
 * Left alone when a fair part of the prose is up there; then the heading heads something else.
 */
import { elementsBelow, isElement, isText, type PageElement, type PageNode } from '../tree/dom.ts'
import { measureProse } from '../tree/prose.ts'

const LITTLE = 0.2

export function removeAboveHeading(body: PageElement): void {
  const [heading, ...others] = elementsBelow(body).filter(isMainHeading)
  if (!heading || others.length > 0) return
  const prose = measureProse(body)
  const above = nodesAbove(body, heading)
  const chars = above.reduce((sum, node) => sum + (isElement(node) ? prose(node) : textChars(node)), 0)
  if (chars <= prose(body) * LITTLE) for (const node of above) node.remove()
}

const isMainHeading = (element: PageElement): boolean =>
  element.localName === 'h1' && (element.textContent ?? '').trim() !== ''
const textChars = (node: PageNode): number => (isText(node) ? (node.textContent ?? '').trim().length : 0)

/** Earlier siblings of the heading and of all that is around it. */
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
