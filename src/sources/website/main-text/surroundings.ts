/**
 * What stands beside the place that a page marks as its content (`itemprop=articleBody`, `<article>`, `<main>`): asides, footers,
 * navigation, comments and "related" lists. Where the marked place holds text of its own, they go at any size:
 * a short note under long comments is still the note. Without such a place nothing is removed here.
 */

import { COMMENTS_NAME, nameWords, RELATED_NAME } from '../page-furniture/class-name-words.ts'
import { elementsBelow, following, isElement, isText, type PageElement, type PageNode } from '../tree/dom.ts'
import { isProse } from '../tree/prose.ts'

const TAGS = new Set(['aside', 'footer', 'nav'])
const ROLES = new Set(['navigation', 'complementary', 'contentinfo'])
const HEADINGS = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
const NEVER = new Set(['html', 'body', 'main', 'article'])
// A sentence: what comments and related lists must leave behind to be beside something.
const SENTENCE_CHARS = 50
// Inside an article an aside may be the author's, unless there is an article without it.
const ARTICLE_CHARS = 250
// A place without prose may be a list of links: a section's page.
const LIST_CHARS = 40

const PERHAPS =
  /comment|disqus|respond|relat|recomm|recirc|popular|trending|similar|outbrain|taboola|most|next|stories|sidebar/i

type Kind = 'tag' | 'comments' | 'related'
type Beside = { kind: Kind; element: PageElement }

const MARKS: ((element: PageElement) => boolean)[] = [
  (element) => (element.getAttribute('itemprop') ?? '').split(/\s+/).includes('articleBody'),
  (element) => element.localName === 'article',
  (element) => isMain(element),
]

export function removeSurroundings(body: PageElement): void {
  const elements = elementsBelow(body)
  const marked = MARKS.map((isMark) => elements.filter(isMark))
  if (marked.every((group) => group.length === 0)) return
  const beside = outermost(elements, holdersOf(elements.filter(isHeart)))
  const hidden = new Set(beside.map(({ element }) => element))
  for (const group of marked) {
    const places = group.filter((place) => !holderAmong(place, hidden))
    const sum = (count: (place: PageElement) => number): number => places.reduce((all, place) => all + count(place), 0)
    const chars = sum((place) => ownChars(place, hidden))
    if (chars === 0 && sum((place) => linkedChars(place, hidden)) < LIST_CHARS) continue
    removeBeside(beside, new Set(places), chars)
    return
  }
}

function removeBeside(beside: readonly Beside[], places: ReadonlySet<PageElement>, chars: number): void {
  for (const { kind, element } of beside) {
    const place = holderAmong(element, places)
    if (chars >= charsNeeded(kind, place)) element.remove()
  }
}

/** How much text the places must hold for the element to be beside it; `<main>` holds all of a page's middle, an article one text. */
function charsNeeded(kind: Kind, place: PageElement | null): number {
  if (place && !isMain(place) && kind !== 'comments') return kind === 'tag' ? ARTICLE_CHARS : Number.POSITIVE_INFINITY
  return place || kind !== 'tag' ? SENTENCE_CHARS : 0
}

const isMain = (element: PageElement): boolean =>
  element.localName === 'main' || element.getAttribute('role') === 'main'

/** What no box of comments or related stories holds: the page's main heading, its main part, its marked body. */
const isHeart = (element: PageElement): boolean =>
  element.localName === 'h1' || isMain(element) || element.getAttribute('itemprop') === 'articleBody'

function holdersOf(elements: readonly PageElement[]): Set<PageElement> {
  const holders = new Set<PageElement>()
  for (const element of elements)
    for (let at = element.parentNode; at && !holders.has(at); at = at.parentNode) holders.add(at)
  return holders
}

/** Elements that look like surroundings, none inside another. */
function outermost(elements: readonly PageElement[], holders: ReadonlySet<PageElement>): Beside[] {
  const inside = new Set<PageElement>()
  const found: Beside[] = []
  for (const element of elements) {
    const isBelow = element.parentNode !== null && inside.has(element.parentNode)
    const kind = isBelow ? null : kindOf(element, holders)
    if (kind) found.push({ kind, element })
    if (kind || isBelow) inside.add(element)
  }
  return found
}

function kindOf(element: PageElement, holders: ReadonlySet<PageElement>): Kind | null {
  if (NEVER.has(element.localName)) return null
  if (TAGS.has(element.localName) || ROLES.has(element.getAttribute('role') ?? '')) return 'tag'
  if (holders.has(element)) return null
  // Most elements are called something else; telling that is cheaper than taking their names apart.
  if (!PERHAPS.test(`${element.getAttribute('class') ?? ''} ${element.getAttribute('id') ?? ''}`)) return null
  const words = nameWords(element)
  if (COMMENTS_NAME.test(words)) return 'comments'
  return RELATED_NAME.test(words) ? 'related' : null
}

function holderAmong(element: PageElement, outer: ReadonlySet<PageElement>): PageElement | null {
  for (let at = element.parentNode; at; at = at.parentNode) if (outer.has(at)) return at
  return null
}

/** Prose of a place, outside headings and outside what stands beside it. */
function ownChars(place: PageElement, beside: ReadonlySet<PageElement>): number {
  let chars = 0
  for (let node: PageNode | null = place; node; ) {
    const skip = isElement(node) && (beside.has(node) || HEADINGS.has(node.localName) || !isProse(node))
    if (isText(node)) chars += (node.textContent ?? '').trim().length
    node = following(place, node, skip)
  }
  return chars
}

function linkedChars(place: PageElement, beside: ReadonlySet<PageElement>): number {
  let chars = 0
  for (let node: PageNode | null = place; node; ) {
    const isLink = isElement(node) && node.localName === 'a'
    if (isLink) chars += (node.textContent ?? '').trim().length
    node = following(place, node, isLink || (isElement(node) && beside.has(node)))
  }
  return chars
}
