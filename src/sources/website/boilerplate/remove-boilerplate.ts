/**
 * Removes boilerplate elements: navigation, advertising, share bars, "related" lists, comments, consent boxes, captions.
 * They are recognised by tag, by role, or by whole words in class and id.
 * An element that contains a large part of the page's prose is never boilerplate, whatever its name.
 */
import { boxTitle } from '../tree/box-title.ts'
import { type PageElement, removeWhere } from '../tree/dom.ts'
import { measureProse } from '../tree/prose.ts'
import {
  AUTHOR_NAME,
  BOILERPLATE_NAME,
  CAPTION_NAME,
  COMMENTS_NAME,
  EMBED_NAME,
  nameWords,
} from './class-name-words.ts'
import { BOX_HEADING } from './phrases.ts'

const TAGS = new Set(
  'nav aside dialog button select textarea input figcaption footer menu iframe object embed canvas svg template script style'.split(
    ' ',
  ),
)
const ROLES = new Set(
  'navigation complementary banner contentinfo search dialog alertdialog alert menu menubar toolbar tooltip'.split(' '),
)
const INLINE_TAGS = new Set('a abbr b cite code em i mark q small strong sub sup u'.split(' '))
const NEVER_REMOVED = new Set(['html', 'body', 'main', 'article', 'td', 'th', 'tr', 'tbody', 'table', 'pre', 'code'])

// The largest share of the page's prose that such an element may contain.
const MAX_SHARE = 0.3
const MAX_SHARE_TITLED = 0.5
const MAX_SHARE_COMMENTS = 0.75
// The largest share that all elements found by name may contain together.
const MAX_SHARE_BY_NAME = 0.6

// AMP fills these elements later. Until then they contain a placeholder.
const AMP_PLACEHOLDERS = new Set(
  'amp-ad amp-embed amp-sticky-ad amp-auto-ads amp-consent amp-social-share amp-sidebar'.split(' '),
)

// The heading of a collapsible chapter is a button.
const HEADING = /^(?:h[1-6]|summary|dt)$/

type Verdict = { by: 'tag' | 'name' | 'hidden'; limit: number } | null

export function removeBoilerplate(body: PageElement): void {
  const prose = measureProse(body)
  const total = Math.max(1, prose(body))
  const isBoilerplate = (verdict: Verdict, element: PageElement): boolean =>
    verdict !== null && prose(element) / total <= verdict.limit
  const named: PageElement[] = []
  // What is inside a named element goes with it, and must not be counted twice.
  const inNamed = new Set<PageElement>()
  removeWhere(body, (element) => {
    const isNested = element.parentNode !== null && inNamed.has(element.parentNode)
    const verdict = isNested ? null : judge(element)
    const isFound = isBoilerplate(verdict, element)
    if (isFound && verdict?.by !== 'name') return true
    if (isFound) named.push(element)
    if (isFound || isNested) inNamed.add(element)
    return false
  })
  // If the names would remove most of the page in total, they mean something else on this site.
  const namedProse = named.reduce(
    (sum, element) => sum + (COMMENTS_NAME.test(nameWords(element)) ? 0 : prose(element)),
    0,
  )
  if (namedProse <= total * MAX_SHARE_BY_NAME) for (const element of named) element.remove()
}

/** Why the element looks like boilerplate, and the largest share of the page's prose it may contain. */
function judge(element: PageElement): Verdict {
  const name = element.localName
  if (NEVER_REMOVED.has(name)) return null
  if (name === 'button' && HEADING.test(element.parentNode?.localName ?? '')) return null
  if (TAGS.has(name)) return { by: 'tag', limit: name === 'script' || name === 'style' ? 1 : MAX_SHARE }
  if (AMP_PLACEHOLDERS.has(name) || isHidden(element)) return { by: 'hidden', limit: 1 }
  if (ROLES.has(element.getAttribute('role') ?? '')) return { by: 'tag', limit: MAX_SHARE }
  // A word inside a sentence is part of the sentence, whatever its class.
  if (INLINE_TAGS.has(name) || (name === 'span' && element.parentNode?.localName === 'p'))
    return CAPTION_NAME.test(nameWords(element)) ? { by: 'name', limit: MAX_SHARE } : null
  if (isLabelled(element)) return { by: 'tag', limit: MAX_SHARE }
  const title = boxTitle(element)
  if (title && BOX_HEADING.test(title)) return { by: 'name', limit: MAX_SHARE_TITLED }
  const words = nameWords(element)
  if (words === '') return null
  if (CAPTION_NAME.test(words) || AUTHOR_NAME.test(words)) return { by: 'name', limit: MAX_SHARE }
  if (COMMENTS_NAME.test(words)) return { by: 'name', limit: MAX_SHARE_COMMENTS }
  return BOILERPLATE_NAME.test(EMBED_NAME.test(words) ? withoutSocial(element, words) : words)
    ? { by: 'name', limit: MAX_SHARE }
    : null
}

/** An embedded post is a quotation. Its class and id are removed, so that Readability does not take it for a share bar. */
function withoutSocial(element: PageElement, words: string): string {
  if (!/ (?:social|share) /.test(words)) return words
  element.removeAttribute('class')
  element.removeAttribute('id')
  return words.replace(/ (?:social|share)(?: media)?(?= )/g, '')
}

const LABEL =
  /^(?:ad|ads|advert|sponsored|related|share|social|newsletter|cookie|comments?|breadcrumbs?|most read|anzeige|werbung|publicité|publicidad)(?!\p{L})|advertisement/iu

/** Labels for screen readers, and attributes for the scripts that fill advertising slots. */
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
