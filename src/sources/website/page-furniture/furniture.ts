/**
 * What stands around an article on a page: navigation, advertising, sharing, "related" lists, comments, consent, captions.
 * Told by the element's tag or role, or by whole words of its class and id, as site builders name these things.
 * An element that holds a large part of the page's prose is never furniture, whatever it is called.
 */
import { boxTitle } from '../tree/box-title.ts'
import { type PageElement, removeWhere } from '../tree/dom.ts'
import { measureProse } from '../tree/prose.ts'
import { COMMENTS_NAME, EMBED_NAME, FURNITURE_NAME, nameWords } from './class-name-words.ts'
import { BOX_HEADING } from './phrases.ts'

const TAGS = new Set(
  'nav aside dialog button select textarea input figcaption footer menu iframe object embed canvas svg template script style'.split(
    ' ',
  ),
)
const ROLES = new Set(
  'navigation complementary banner contentinfo search dialog alertdialog alert menu menubar toolbar tooltip'.split(' '),
)
const PHRASES = new Set('a abbr b cite code em i mark q small strong sub sup u'.split(' '))
const NEVER = new Set(['html', 'body', 'main', 'article', 'td', 'th', 'tr', 'tbody', 'table', 'pre', 'code'])

const SMALL = 0.3
const SMALL_FOR_TITLED = 0.5
const SMALL_FOR_COMMENTS = 0.75
const MOST = 0.6

// What AMP pages fill in later; until then it holds what the visitor sees if that fails.
const FILLED_LATER = new Set(
  'amp-ad amp-embed amp-sticky-ad amp-auto-ads amp-consent amp-social-share amp-sidebar'.split(' '),
)

// A heading that folds its chapter is a button all over.
const HEADING = /^(?:h[1-6]|summary|dt)$/

type Verdict = { by: 'tag' | 'name' | 'hidden'; limit: number } | null

export function removeFurniture(body: PageElement): void {
  const prose = measureProse(body)
  const total = Math.max(1, prose(body))
  const isFurniture = (verdict: Verdict, element: PageElement): boolean =>
    verdict !== null && prose(element) / total <= verdict.limit
  const named: PageElement[] = []
  removeWhere(body, (element) => {
    const verdict = judge(element)
    if (!isFurniture(verdict, element)) return false
    if (verdict?.by === 'name') named.push(element)
    return verdict?.by !== 'name'
  })
  // Names that would take most of the page with them, piece by piece, mean something else on this site.
  const taken = named.reduce((sum, element) => sum + (COMMENTS_NAME.test(nameWords(element)) ? 0 : prose(element)), 0)
  if (taken <= total * MOST) for (const element of named) element.remove()
}

/** What makes the element look like furniture, and up to which part of the page's prose it may be taken for it. */
function judge(element: PageElement): Verdict {
  const name = element.localName
  if (NEVER.has(name)) return null
  if (name === 'button' && HEADING.test(element.parentNode?.localName ?? '')) return null
  if (TAGS.has(name)) return { by: 'tag', limit: name === 'script' || name === 'style' ? 1 : SMALL }
  if (FILLED_LATER.has(name) || isHidden(element)) return { by: 'hidden', limit: 1 }
  if (ROLES.has(element.getAttribute('role') ?? '')) return { by: 'tag', limit: SMALL }
  // A word inside a sentence belongs to the sentence, whatever its class.
  if (PHRASES.has(name) || (name === 'span' && element.parentNode?.localName === 'p')) return null
  if (isLabelled(element)) return { by: 'tag', limit: SMALL }
  const title = boxTitle(element)
  if (title && BOX_HEADING.test(title)) return { by: 'name', limit: SMALL_FOR_TITLED }
  const words = nameWords(element)
  if (words === '') return null
  if (COMMENTS_NAME.test(words)) return { by: 'name', limit: SMALL_FOR_COMMENTS }
  return FURNITURE_NAME.test(EMBED_NAME.test(words) ? withoutSocial(element, words) : words)
    ? { by: 'name', limit: SMALL }
    : null
}

/** An embedded post is quoted by the author: neither we nor the algorithm after us may take it for a share bar. */
function withoutSocial(element: PageElement, words: string): string {
  if (!/ (?:social|share) /.test(words)) return words
  element.removeAttribute('class')
  element.removeAttribute('id')
  return words.replace(/ (?:social|share)(?: media)?(?= )/g, '')
}

const LABEL =
  /^(?:ad|ads|advert|sponsored|related|share|social|newsletter|cookie|comments?|breadcrumbs?|most read|anzeige|werbung|publicité|publicidad)(?!\p{L})|advertisement/iu

/** What the page itself tells assistive software, or the code that fills advertising slots. */
const isLabelled = (element: PageElement): boolean =>
  LABEL.test(element.getAttribute('aria-label') ?? '') ||
  element.hasAttribute('data-ad-slot') ||
  element.hasAttribute('data-ad-unit') ||
  element.hasAttribute('data-google-query-id')

function isHidden(element: PageElement): boolean {
  if (element.hasAttribute('hidden')) return true
  const style = element.getAttribute('style')
  return style !== null && /display\s*:\s*none|visibility\s*:\s*hidden/i.test(style)
}
