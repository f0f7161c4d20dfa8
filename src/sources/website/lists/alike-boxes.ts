/**
 * A page made of boxes of one kind: the posts of a thread, events, notes, entries of a list. The article algorithm seeks one text and
 * leaves out those of the boxes that are short beside the longest; here they are told by tag and first class, and by holding
 * most of the page's prose between them, none of them most of it alone.
 */
import { elementsBelow, isElement, type PageElement } from '../tree/dom.ts'
import type { Prose } from '../tree/prose.ts'

const BOXES = new Set(['article', 'div', 'li', 'section', 'tr'])
const SEVERAL = 3
const MOST = 0.7
const ALONE = 0.6
const WITH_INTRODUCTION = 0.75

/** What holds the boxes, with an introduction above them; null for a page of any other shape. */
export function holderOfAlike(body: PageElement, prose: Prose): PageElement | null {
  const enough = prose(body) * MOST
  const holder = elementsBelow(body).findLast(
    (element) => prose(element) >= enough && holdsAlike(element, enough, prose),
  )
  return holder ? widened(holder, body, prose) : null
}

function holdsAlike(element: PageElement, enough: number, prose: Prose): boolean {
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
    return sizes.length >= SEVERAL && total >= enough && Math.max(...sizes) <= total * ALONE
  })
}

/** `div post` of `<div class="post bg1 online">`; a `div` without a name may be anything. */
function kindOf(element: PageElement): string | null {
  if (!BOXES.has(element.localName)) return null
  const [first = ''] = (element.getAttribute('class') ?? '').trim().split(/\s+/)
  const name = first.replace(/[\d_-]+$/, '')
  return name === '' && element.localName === 'div' ? null : `${element.localName} ${name}`
}

function widened(holder: PageElement, body: PageElement, prose: Prose): PageElement {
  let widest = holder
  for (let at = holder.parentNode; at && at !== body; at = at.parentNode)
    if (prose(holder) >= prose(at) * WITH_INTRODUCTION) widest = at
  return widest
}
