/**
 * Finds the element that the page itself marks as its article: `itemprop=articleBody`, a class name that publishing
 * systems use for the body of a post, the only `<article>`, or the `<article>` with the page's only `<h1>`.
 * The mark counts only if it is unique and its element contains a fair share of the page's prose.
 */

import { splitName } from '../boilerplate/class-name-words.ts'
import { descendants, isInside, type PageElement } from '../tree/dom.ts'
import { measureProse, type Prose } from '../tree/prose.ts'

const BODY_NAME =
  / (?:(?:article|post|entry|story|news|blog)s? (?:body|content|text|copy)|articlebody|articletext|articlecontent|postbody|postcontent|storybody|storytext|storycontent|entrycontent|body copy) $/
const FAIR_SHARE = 0.5
const FAIR_SHARE_MARKED = 0.3
const ENOUGH_CHARS = 250

export function statedBody(body: PageElement): PageElement | null {
  const elements = descendants(body)
  const prose = measureProse(body)
  const marked = only(
    elements.filter((element) => element.getAttribute('itemprop')?.split(/\s+/).includes('articleBody')),
  )
  if (marked && holds(marked, body, prose, FAIR_SHARE_MARKED)) return marked
  const named = only(elements.filter(hasBodyName))
  if (named && holds(named, body, prose, FAIR_SHARE)) return named
  const articles = elements.filter((element) => element.localName === 'article')
  const alone = only(articles)
  // Even a short one counts: otherwise its surroundings would be half of the text.
  if (alone) return prose(alone) >= FAIR_SHARE_MARKED * prose(body) ? alone : null
  return headedArticle(articles, elements, prose)
}

/** The article with the page's only h1. The other articles are teasers or the next stories. */
function headedArticle(articles: PageElement[], elements: PageElement[], prose: Prose): PageElement | null {
  const heading = single(elements.filter((element) => element.localName === 'h1'))
  const headed = heading && articles.find((article) => isInside(heading, article))
  return headed && prose(headed) >= ENOUGH_CHARS ? headed : null
}

/** Each class is tested on its own: `td-post-content col-8` matches, `post-content-wrapper` does not. */
function hasBodyName(element: PageElement): boolean {
  if (NOT_BODY.has(element.localName)) return false
  const names = `${element.getAttribute('class') ?? ''} ${element.getAttribute('id') ?? ''}`
  return names.split(/\s+/).some((name) => BODY_NAME.test(splitName(name)))
}
const NOT_BODY = new Set(['body', 'html', 'a', 'span', 'h1', 'h2', 'p', 'time'])

const single = (elements: PageElement[]): PageElement | undefined => (elements.length === 1 ? elements[0] : undefined)

/** The only element, or the outermost if all others are nested in it. */
function only(elements: PageElement[]): PageElement | null {
  const [first, ...rest] = elements
  if (!first) return null
  return rest.every((element) => isInside(element, first)) ? first : null
}

const holds = (element: PageElement, body: PageElement, prose: Prose, share: number): boolean =>
  prose(element) >= ENOUGH_CHARS && prose(element) >= share * prose(body)
