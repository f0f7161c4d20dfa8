/**
 * A page may have several `<article>` elements. The one whose heading matches the page's title is the page's own.
 * Other stories are removed: the next story of an endless page, and teasers.
 * An article is another story if its heading has the same level as the own heading, or links to another page.
 * Chapters under lower headings and articles without a heading stay. If no heading matches the title, nothing is removed.
 */

import { comparableText, titleParts } from '../boilerplate/comparable-text.ts'
import { descendants, isInside, type PageElement } from '../tree/dom.ts'
import { measureProse } from '../tree/prose.ts'

const MIN_ARTICLE_CHARS = 50
const HEADING = /^h[1-6]$/

type HeadedArticle = { article: PageElement; heading: PageElement }

export function removeOtherArticles(body: PageElement, titles: readonly string[]): void {
  const articles = descendants(body).filter((element) => element.localName === 'article')
  if (articles.length < 2) return
  const names = new Set(titles.flatMap(titleParts).map(comparableText))
  names.delete('')
  const headed = articles.flatMap((article): HeadedArticle[] => {
    const heading = descendants(article).find(({ localName }) => HEADING.test(localName))
    return heading ? [{ article, heading }] : []
  })
  const own = headed.find(({ heading }) => names.has(comparableText(heading.textContent ?? '')))
  if (!own || measureProse(own.article)(own.article) < MIN_ARTICLE_CHARS) return
  for (const { article, heading } of headed)
    if (!isSameOrNested(article, own.article) && isOtherStory(heading, own.heading)) article.remove()
}

const isSameOrNested = (one: PageElement, other: PageElement): boolean =>
  one === other || isInside(one, other) || isInside(other, one)

/** A reply is not another story: its heading repeats the heading of the own article, as in "Re: Leaking roof". */
const isOtherStory = (heading: PageElement, own: PageElement): boolean =>
  !comparableText(heading.textContent ?? '').includes(comparableText(own.textContent ?? '')) &&
  (heading.localName === own.localName || leadsElsewhere(heading))

/** Whether the heading is or contains a link to another page, or stands inside one. */
function leadsElsewhere(heading: PageElement): boolean {
  const around = [heading, heading.parentNode, heading.parentNode?.parentNode ?? null]
  const links = [...descendants(heading), ...around.filter((element) => element !== null)]
  return links.some((element) => {
    const href = element.localName === 'a' ? element.getAttribute('href') : null
    return href !== null && href !== '' && !href.includes('#')
  })
}
