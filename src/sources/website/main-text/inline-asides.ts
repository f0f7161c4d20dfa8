/**
 * Furniture set inside the lines of a text, where names do not help: the card that unfolds from a link (the link once more, with
 * others after it), and lists of keywords (links that say `rel=tag` and next to nothing beside them).
 */
import { elementsBelow, isElement, isText, type PageElement, type PageNode } from '../tree/dom.ts'

const CARD = new Set(['span', 'div'])
const KEPT = new Set(['body', 'main', 'article', 'section', 'td', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
// "Keywords:", "Schlagwörter", and commas.
const LABEL_LETTERS = 15

export function removeAsidesInLine(body: PageElement): void {
  const links = elementsBelow(body).filter(({ localName }) => localName === 'a')
  for (const link of links) {
    const card = nextElement(link)
    if (card && CARD.has(card.localName) && unfolds(card, link)) card.remove()
  }
  const lists = new Set<PageElement>()
  for (const link of links) if (isTag(link) && link.parentNode) lists.add(link.parentNode)
  for (const list of lists) if (!KEPT.has(list.localName) && lettersBeside(list) <= LABEL_LETTERS) list.remove()
}

/** The next sibling, if it is an element and no text stands before it. */
function nextElement(element: PageElement): PageElement | null {
  for (let next = element.nextSibling; next; next = next.nextSibling) {
    if (isElement(next)) return next
    if (isText(next) && (next.textContent ?? '').trim() !== '') return null
  }
  return null
}

function unfolds(card: PageElement, link: PageElement): boolean {
  const href = link.getAttribute('href')
  const inCard = elementsBelow(card).filter(({ localName }) => localName === 'a')
  const [first] = inCard
  return (
    href !== null &&
    inCard.length > 1 &&
    first?.getAttribute('href') === href &&
    repeats(first, link) &&
    textOf(card).length <= inCard.reduce((sum, each) => sum + textOf(each).length, 0)
  )
}

/** All words of the link, maybe among others: a full name. */
function repeats(other: PageElement, link: PageElement): boolean {
  const words = new Set((other.textContent ?? '').split(/\s+/))
  const own = (link.textContent ?? '').split(/\s+/).filter(Boolean)
  return own.length > 0 && own.every((word) => words.has(word))
}

const isTag = (link: PageElement): boolean => (link.getAttribute('rel') ?? '').split(/\s+/).includes('tag')

/** Letters of the list outside its links; any link that is no keyword speaks for a sentence. */
function lettersBeside(list: PageElement): number {
  const links = elementsBelow(list).filter(({ localName }) => localName === 'a')
  if (!links.every(isTag)) return Number.POSITIVE_INFINITY
  const letters = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0
  return letters(textOf(list)) - links.reduce((sum, link) => sum + letters(textOf(link)), 0)
}

const textOf = (node: PageNode): string => (node.textContent ?? '').replace(/\s+/g, '')
