/**
 * The floor under every page: `<article>`, else the largest text block, minus navigation.
 * Used where the article algorithm finds too little: short notes, lists, pages of a shape it does not know.
 */
import { elementsBelow, isInside, type PageElement, removeWhere } from '../tree/dom.ts'
import { measureProse } from '../tree/prose.ts'

const AROUND = new Set(
  'nav aside footer header form button dialog menu script style template noscript svg iframe'.split(' '),
)
const BLOCK = new Set('div section main td article blockquote pre center'.split(' '))
const ENOUGH_OF_PARENT = 0.6

export function floorOf(body: PageElement): PageElement {
  const whole = measureProse(body)(body)
  removeWhere(
    body,
    (element) => AROUND.has(element.localName) && !(element.localName === 'form' && holdsPage(element, whole)),
  )
  const prose = measureProse(body)
  const elements = elementsBelow(body)
  const most = (candidates: PageElement[]): PageElement | undefined =>
    candidates.reduce<PageElement | undefined>(
      (best, one) => (!best || prose(one) > prose(best) ? one : best),
      undefined,
    )
  const article = most(elements.filter((element) => element.localName === 'article'))
  if (article && prose(article) > 0) return article
  return narrowest(body, elements, prose)
}

/** Some systems wrap the whole page in one form. */
const holdsPage = (form: PageElement, whole: number): boolean => measureProse(form)(form) > whole / 2

/** From the body down, as long as one block holds most of what its parent holds. */
function narrowest(body: PageElement, elements: PageElement[], prose: (element: PageElement) => number): PageElement {
  let best = body
  for (const element of elements) {
    if (BLOCK.has(element.localName) && isInside(element, best) && prose(element) >= prose(best) * ENOUGH_OF_PARENT)
      best = element
  }
  return best
}
