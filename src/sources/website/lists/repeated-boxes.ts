/**
 * Finds pages that consist of similar boxes: posts of a thread, events, notes, entries of a list.
 * Readability looks for one text and drops the boxes that are much shorter than the longest one.
 * Boxes are similar if they have the same tag and first class. Together they contain most of the page's prose,
 * and no single one contains most of it.
 */
import { descendants, isElement, type PageElement } from '../tree/dom.ts'
import type { Prose } from '../tree/prose.ts'

const BOXES = new Set(['article', 'div', 'li', 'section', 'tr'])
const MIN_BOXES = 3
const MIN_SHARE_OF_PAGE = 0.7
const MAX_SHARE_OF_ONE_BOX = 0.6
const MIN_SHARE_OF_PARENT = 0.75

/** The element that contains the boxes and an introduction above them; null if the page has no such boxes. */
export function findRepeatedBoxes(body: PageElement, prose: Prose): PageElement | null {
  const enough = prose(body) * MIN_SHARE_OF_PAGE
  const container = descendants(body).findLast(
    (element) => prose(element) >= enough && hasRepeatedBoxes(element, enough, prose),
  )
  return container ? withIntroduction(container, body, prose) : null
}

function hasRepeatedBoxes(element: PageElement, enough: number, prose: Prose): boolean {
  const groups = new Map<string, number[]>()
  for (let child = element.firstChild; child; child = child.nextSibling) {
    const kind = isElement(child) ? kindOf(child) : null
    if (kind === null || !isElement(child) || prose(child) === 0) continue
    const group = groups.get(kind)
    if (group) group.push(prose(child))
    else groups.set(kind, [prose(child)])
  }
  return [...groups.values()].some((sizes) => {
    const total = sizes.reduce((sum, size) => sum + size, 0)
    return sizes.length >= MIN_BOXES && total >= enough && Math.max(...sizes) <= total * MAX_SHARE_OF_ONE_BOX
  })
}

/** `div post` for `<div class="post bg1 online">`. A `div` without a class has no kind: it may be anything. */
function kindOf(element: PageElement): string | null {
  if (!BOXES.has(element.localName)) return null
  const [first = ''] = (element.getAttribute('class') ?? '').trim().split(/\s+/)
  const name = first.replace(/(?<![\d_-])[\d_-]+$/, '')
  return name === '' && element.localName === 'div' ? null : `${element.localName} ${name}`
}

function withIntroduction(container: PageElement, body: PageElement, prose: Prose): PageElement {
  let widest = container
  for (let at = container.parentNode; at && at !== body; at = at.parentNode)
    if (prose(container) >= prose(at) * MIN_SHARE_OF_PARENT) widest = at
  return widest
}
