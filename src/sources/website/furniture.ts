/**
 * What stands around an article on a page: navigation, advertising, sharing, "related" lists, comments, consent, captions.
 * Told by the element's tag or role, or by whole words of its class and id, as site builders name these things.
 * An element that holds a large part of the page's prose is never furniture, whatever it is called.
 */
import { type PageElement, removeWhere } from './dom.ts'
import { measureProse } from './prose.ts'

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

const words = (list: string): string =>
  list
    .trim()
    .split(/\s*\n\s*/)
    .join('|')
const NAMES = new RegExp(
  ` (?:${words(`
  share|sharing|sharer|sharethis|sharedaddy|addthis|addtoany|social|socials|follow us|follow me|follow links
  related|recommended|recommendations?|recirc|recirculation|outbrain|taboola|zergnet|revcontent|trending|popular|mostread
  most (?:read|viewed|popular|shared|commented)|also (?:like|read|see)|read (?:next|also)|more (?:stories|from|news|articles|posts|on|coverage)
  up next|next (?:post|article|story)|previous (?:post|article|story)|post (?:navigation|nav)|nav (?:links|previous|next)
  newsletter|newsletters|subscribe|subscription|signup|sign up|optin|opt in|mailchimp|promo|promos|promotion|cta|call to action
  ad|ads|advert|adverts|advertisement|advertising|advertorial|adslot|adsbygoogle|adunit|dfp|gpt|sponsor|sponsors|sponsored
  cookie|cookies|consent|gdpr|ccpa|breadcrumb|breadcrumbs|pagination|pager|skip (?:link|to|nav)|print only
  author (?:bio|box|info|card|profile|description|details|block)|about (?:the )?author|bio|byline|bylines|dateline|timestamp|pubdate
  publish(?:ed)? (?:date|time|on|at)|posted on|entry (?:date|meta)|post (?:date|meta|info)|article (?:date|meta|info)|(?:reading|read) time
  (?:view|share|comment|like)s? counts?|counter|post views|ratings?
  captions?|figcaption|credits?|(?:photo|image) (?:caption|credit)|photographer|copyright
  tags|taglist|tag (?:list|links|cloud)|cat links|categories|topics|keywords
  tooltip|popup|popover|modal|overlay|lightbox|toast|snackbar|sr only|screen reader|visually hidden|visuallyhidden
  sidebar|side bar|rail|masthead|site (?:header|footer|nav)|global (?:header|footer|nav)|topbar|navbar|navigation|toolbar
`)}) `,
)
const COMMENTS =
  / (?:comments|comment (?:list|thread|form|section|area|respond)|commentlist|disqus|fb comments|respond) /

// What the element is about (`category-advertising`) or what it goes without (`no-sidebar`) is not what it is.
const NOT_OWN_NAME =
  /(?<![^\s])(?:category|tag|cat|topic|section|has|no|with|without|hide)[-_](?!list|links|cloud)\S+/gi
const EMBED = / (?:embed|embedded|oembed) /

/** ` most read box ` from `mostRead-box`; spaces at both ends, so that whole words can be looked for. */
const splitName = (name: string): string =>
  name === ''
    ? ''
    : ` ${name
        .replace(/([a-z])([A-Z])/g, '$1 $2')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
        .trim()} `

/** The words of class and id: `mostRead-box post_4` is ` most read box   post 4 `. An id of many words is a heading's slug. */
export function nameWords(element: PageElement): string {
  const id = splitName(element.getAttribute('id') ?? '')
  const names = (element.getAttribute('class') ?? '').replace(NOT_OWN_NAME, ' ').split(/\s+/).map(splitName)
  if (id.split(' ').length - 2 <= MAX_ID_WORDS && element.localName !== 'section') names.push(id)
  return names.join(' ').trim() === '' ? '' : names.join(' ')
}
const MAX_ID_WORDS = 3

const SMALL = 0.3
const SMALL_FOR_COMMENTS = 0.75
const MOST = 0.6

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
  const taken = named.reduce((sum, element) => sum + (COMMENTS.test(nameWords(element)) ? 0 : prose(element)), 0)
  if (taken <= total * MOST) for (const element of named) element.remove()
}

/** What makes the element look like furniture, and up to which part of the page's prose it may be taken for it. */
function judge(element: PageElement): Verdict {
  const name = element.localName
  if (NEVER.has(name)) return null
  if (TAGS.has(name)) return { by: 'tag', limit: name === 'script' || name === 'style' ? 1 : SMALL }
  if (isHidden(element)) return { by: 'hidden', limit: 1 }
  if (ROLES.has(element.getAttribute('role') ?? '')) return { by: 'tag', limit: SMALL }
  // A word inside a sentence belongs to the sentence, whatever its class.
  if (PHRASES.has(name) || (name === 'span' && element.parentNode?.localName === 'p')) return null
  const words = nameWords(element)
  if (words === '') return null
  if (COMMENTS.test(words)) return { by: 'name', limit: SMALL_FOR_COMMENTS }
  return NAMES.test(EMBED.test(words) ? withoutSocial(element, words) : words) ? { by: 'name', limit: SMALL } : null
}

/** An embedded post is quoted by the author: neither we nor the algorithm after us may take it for a share bar. */
function withoutSocial(element: PageElement, words: string): string {
  if (!/ (?:social|share) /.test(words)) return words
  element.removeAttribute('class')
  element.removeAttribute('id')
  return words.replace(/ (?:social|share)(?: media)?(?= )/g, '')
}

function isHidden(element: PageElement): boolean {
  if (element.hasAttribute('hidden')) return true
  const style = element.getAttribute('style')
  return style !== null && /display\s*:\s*none|visibility\s*:\s*hidden/i.test(style)
}
