/**
 * Removes boilerplate inside the text that has no telling class name:
 * - hover cards: a box after a link that repeats the link and adds others;
 * - keyword lists: links with `rel=tag` and almost no other text.
 */
import { descendants, isElement, isText, type PageElement, type PageNode } from '../tree/dom.ts'

const CARD_TAGS = new Set(['span', 'div'])
const NEVER_REMOVED = new Set(['body', 'main', 'article', 'section', 'td', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
// Enough for a label such as "Keywords:" or "Schlagwörter".
const MAX_LABEL_LETTERS = 15

export function removeInlineAsides(body: PageElement): void {
  const links = descendants(body).filter(({ localName }) => localName === 'a')
  for (const link of links) {
    const card = nextElement(link)
    if (card && CARD_TAGS.has(card.localName) && isHoverCard(card, link)) card.remove()
  }
  const lists = new Set<PageElement>()
  for (const link of links) if (isTag(link) && link.parentNode) lists.add(link.parentNode)
  for (const list of lists)
    if (!NEVER_REMOVED.has(list.localName) && lettersBeside(list) <= MAX_LABEL_LETTERS) list.remove()
}

/** The next sibling element, or null if text comes before it. */
function nextElement(element: PageElement): PageElement | null {
  for (let next = element.nextSibling; next; next = next.nextSibling) {
    if (isElement(next)) return next
    if (isText(next) && (next.textContent ?? '').trim() !== '') return null
  }
  return null
}

function isHoverCard(card: PageElement, link: PageElement): boolean {
  const href = link.getAttribute('href')
  const inCard = descendants(card).filter(({ localName }) => localName === 'a')
  const [first] = inCard
  return (
    href !== null &&
    inCard.length > 1 &&
    first?.getAttribute('href') === href &&
    repeats(first, link) &&
    textOf(card).length <= inCard.reduce((sum, each) => sum + textOf(each).length, 0)
  )
}

/** Whether `other` contains all words of the link. It may have more, such as a full name. */
function repeats(other: PageElement, link: PageElement): boolean {
  const words = new Set((other.textContent ?? '').split(/\s+/))
  const linkWords = (link.textContent ?? '').split(/\s+/).filter(Boolean)
  return linkWords.length > 0 && linkWords.every((word) => words.has(word))
}

const isTag = (link: PageElement): boolean => (link.getAttribute('rel') ?? '').split(/\s+/).includes('tag')

/** Letters of the list outside its links. A link without `rel=tag` means that this is a sentence, not a keyword list. */
function lettersBeside(list: PageElement): number {
  const links = descendants(list).filter(({ localName }) => localName === 'a')
  if (!links.every(isTag)) return Number.POSITIVE_INFINITY
  const letters = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0
  return letters(textOf(list)) - links.reduce((sum, link) => sum + letters(textOf(link)), 0)
}

const textOf = (node: PageNode): string => (node.textContent ?? '').replace(/\s+/g, '')
