/**
 * The fallback when Readability finds too little: short notes, lists, unusual pages.
 * Takes `<article>`, or else the largest text block, without navigation.
 */
import { descendants, isInside, type PageElement, removeWhere } from '../tree/dom.ts'
import { measureProse } from '../tree/prose.ts'

const SURROUNDING_TAGS = new Set(
  'nav aside footer header form button dialog menu script style template noscript svg iframe'.split(' '),
)
const TEXT_BLOCKS = new Set('div section main td article blockquote pre center'.split(' '))
const MIN_SHARE_OF_PARENT = 0.6

export function fallbackElement(body: PageElement): PageElement {
  const whole = measureProse(body)(body)
  removeWhere(
    body,
    (element) =>
      SURROUNDING_TAGS.has(element.localName) && !(element.localName === 'form' && holdsPage(element, whole)),
  )
  const prose = measureProse(body)
  const elements = descendants(body)
  const most = (candidates: PageElement[]): PageElement | undefined =>
    candidates.reduce<PageElement | undefined>(
      (best, one) => (!best || prose(one) > prose(best) ? one : best),
      undefined,
    )
  const article = most(elements.filter((element) => element.localName === 'article'))
  if (article && prose(article) > 0) return article
  return narrowest(body, elements, prose)
}

/** Some sites wrap the whole page in one form. */
const holdsPage = (form: PageElement, whole: number): boolean => measureProse(form)(form) > whole / 2

/** Goes down from the body, as long as one block contains most of its parent's prose. */
function narrowest(body: PageElement, elements: PageElement[], prose: (element: PageElement) => number): PageElement {
  let best = body
  for (const element of elements) {
    if (
      TEXT_BLOCKS.has(element.localName) &&
      isInside(element, best) &&
      prose(element) >= prose(best) * MIN_SHARE_OF_PARENT
    )
      best = element
  }
  return best
}
