/**
 * Of several `<article>`s the one whose headline is the page's title is the page's; the next story of an endless page and teasers
 * of other stories go. Other stories are told by a heading that leads elsewhere, or by a headline of the same level.
 * Chapters under lower headings and articles without a heading stay, and so does all of a page whose title heads no article.
 */

import { fold } from '../page-furniture/fold.ts'
import { elementsBelow, isInside, type PageElement } from '../tree/dom.ts'
import { measureProse } from '../tree/prose.ts'

const SOME_CHARS = 50
const MAX_TITLE_CHARS = 500
const HEADING = /^h[1-6]$/
const BETWEEN_TITLES = /\s[|–—·•:»/-]+\s/g

type Headed = { article: PageElement; heading: PageElement }

export function removeOtherArticles(body: PageElement, titles: readonly string[]): void {
  const articles = elementsBelow(body).filter((element) => element.localName === 'article')
  if (articles.length < 2) return
  const names = new Set(titles.flatMap(namesIn).map(fold))
  names.delete('')
  const headed = articles.flatMap((article): Headed[] => {
    const heading = elementsBelow(article).find(({ localName }) => HEADING.test(localName))
    return heading ? [{ article, heading }] : []
  })
  const own = headed.find(({ heading }) => names.has(fold(heading.textContent ?? '')))
  if (!own || measureProse(own.article)(own.article) < SOME_CHARS) return
  for (const { article, heading } of headed)
    if (!isRelated(article, own.article) && isOther(heading, own.heading)) article.remove()
}

/** A title as it is, and without what a site sets before or after it: "First story – the whole of it - The Courier". */
function namesIn(title: string): string[] {
  const plain = title.slice(0, MAX_TITLE_CHARS).replace(/\s+/g, ' ')
  const cuts = [...plain.matchAll(BETWEEN_TITLES)].map(({ index }) => index)
  return [plain, ...cuts.flatMap((cut) => [plain.slice(0, cut), plain.slice(cut)])]
}

const isRelated = (one: PageElement, other: PageElement): boolean =>
  one === other || isInside(one, other) || isInside(other, one)

/** An answer repeats the headline: "Re: Leaking roof". */
const isOther = (heading: PageElement, own: PageElement): boolean =>
  !fold(heading.textContent ?? '').includes(fold(own.textContent ?? '')) &&
  (heading.localName === own.localName || leadsElsewhere(heading))

/** A link in the heading or around it, to another page. */
function leadsElsewhere(heading: PageElement): boolean {
  const around = [heading, heading.parentNode, heading.parentNode?.parentNode ?? null]
  const links = [...elementsBelow(heading), ...around.filter((element) => element !== null)]
  return links.some((element) => {
    const href = element.localName === 'a' ? element.getAttribute('href') : null
    return href !== null && href !== '' && !href.includes('#')
  })
}
