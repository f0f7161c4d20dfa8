/**
 * Removes the surroundings of the content that a page marks (`itemprop=articleBody`, `<article>`, `<main>`):
 * asides, footers, navigation, comments and "related" lists.
 * If the marked content has text of its own, they are removed whatever their size, because a short note may have long comments.
 * If the page marks no content, nothing is removed.
 */

import { COMMENTS_NAME, nameWords, RELATED_NAME } from '../boilerplate/class-name-words.ts'
import { ancestorsOf, descendants, isElement, isText, nextNode, type PageElement, type PageNode } from '../tree/dom.ts'
import { isProse } from '../tree/prose.ts'

const TAGS = new Set(['aside', 'nav'])
const ROLES = new Set(['navigation', 'complementary', 'contentinfo'])
const HEADINGS = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
const NEVER_REMOVED = new Set(['html', 'body', 'main', 'article'])
// Comments, related lists and the footer of an article are removed only if at least a sentence is left.
const SENTENCE_CHARS = 50
// An aside inside an article may be the author's. It is removed only if a whole article is left.
const ARTICLE_CHARS = 250
// Marked content without prose may be a list of links.
const LIST_CHARS = 40

const CANDIDATE_NAMES =
  /comment|disqus|respond|relat|recomm|recirc|popular|trending|similar|outbrain|taboola|most|next|stories|sidebar/i

type Kind = 'tag' | 'footer' | 'comments' | 'related'
type Surrounding = { kind: Kind; element: PageElement }

const CONTENT_MARKERS: ((element: PageElement) => boolean)[] = [
  (element) => (element.getAttribute('itemprop') ?? '').split(/\s+/).includes('articleBody'),
  (element) => element.localName === 'article',
  (element) => isMain(element),
]

export function removeSurroundings(body: PageElement): void {
  const elements = descendants(body)
  const marked = CONTENT_MARKERS.map((isMark) => elements.filter(isMark))
  if (marked.every((group) => group.length === 0)) return
  const surroundings = outermost(elements, ancestorsOf(elements.filter(isMainContent)))
  const excluded = new Set(surroundings.map(({ element }) => element))
  for (const group of marked) {
    const places = group.filter((place) => !closestAncestorIn(place, excluded))
    const sum = (count: (place: PageElement) => number): number => places.reduce((all, place) => all + count(place), 0)
    const chars = sum((place) => proseChars(place, excluded))
    if (chars === 0 && sum((place) => linkedChars(place, excluded)) < LIST_CHARS) continue
    removeSurrounding(surroundings, new Set(places), chars)
    return
  }
}

function removeSurrounding(
  surroundings: readonly Surrounding[],
  places: ReadonlySet<PageElement>,
  chars: number,
): void {
  for (const { kind, element } of surroundings) {
    const place = closestAncestorIn(element, places)
    if (chars >= charsNeeded(kind, place)) element.remove()
  }
}

/** How much text must be left for the element to be removed. `<main>` may contain surroundings; an article is one text. */
function charsNeeded(kind: Kind, place: PageElement | null): number {
  if (place && !isMain(place) && kind === 'tag') return ARTICLE_CHARS
  if (place && !isMain(place) && kind === 'related') return Number.POSITIVE_INFINITY
  return place || kind === 'comments' || kind === 'related' ? SENTENCE_CHARS : 0
}

const isMain = (element: PageElement): boolean =>
  element.localName === 'main' || element.getAttribute('role') === 'main'

/** A box that contains one of these is neither comments nor related stories. */
const isMainContent = (element: PageElement): boolean =>
  element.localName === 'h1' || isMain(element) || element.getAttribute('itemprop') === 'articleBody'

/** Elements that look like surroundings. None of them is inside another one. */
function outermost(elements: readonly PageElement[], holders: ReadonlySet<PageElement>): Surrounding[] {
  const inside = new Set<PageElement>()
  const found: Surrounding[] = []
  for (const element of elements) {
    const isBelow = element.parentNode !== null && inside.has(element.parentNode)
    const kind = isBelow ? null : kindOf(element, holders)
    if (kind) found.push({ kind, element })
    if (kind || isBelow) inside.add(element)
  }
  return found
}

function kindOf(element: PageElement, holders: ReadonlySet<PageElement>): Kind | null {
  if (NEVER_REMOVED.has(element.localName)) return null
  if (element.localName === 'footer') return 'footer'
  if (TAGS.has(element.localName) || ROLES.has(element.getAttribute('role') ?? '')) return 'tag'
  if (holders.has(element)) return null
  // A cheap test first: most elements have other names, and splitting names into words is slow.
  if (!CANDIDATE_NAMES.test(`${element.getAttribute('class') ?? ''} ${element.getAttribute('id') ?? ''}`)) return null
  const words = nameWords(element)
  if (COMMENTS_NAME.test(words)) return 'comments'
  return RELATED_NAME.test(words) ? 'related' : null
}

function closestAncestorIn(element: PageElement, outer: ReadonlySet<PageElement>): PageElement | null {
  for (let at = element.parentNode; at; at = at.parentNode) if (outer.has(at)) return at
  return null
}

/** Prose of the marked content, without headings and surroundings. */
function proseChars(place: PageElement, surroundings: ReadonlySet<PageElement>): number {
  let chars = 0
  for (let node: PageNode | null = place; node; ) {
    const skip = isElement(node) && (surroundings.has(node) || HEADINGS.has(node.localName) || !isProse(node))
    if (isText(node)) chars += (node.textContent ?? '').trim().length
    node = nextNode(place, node, skip)
  }
  return chars
}

function linkedChars(place: PageElement, surroundings: ReadonlySet<PageElement>): number {
  let chars = 0
  for (let node: PageNode | null = place; node; ) {
    const isLink = isElement(node) && node.localName === 'a'
    if (isLink) chars += (node.textContent ?? '').trim().length
    node = nextNode(place, node, isLink || (isElement(node) && surroundings.has(node)))
  }
  return chars
}
