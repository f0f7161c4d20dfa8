/**
 * Words that site builders use in class and id for boilerplate, and how an element's names are split into words.
 * Only whole words match: `header` does not contain `ad`, and `shareholder` does not contain `share`.
 */
import { alternatives } from '../patterns.ts'
import type { PageElement } from '../tree/dom.ts'

export const BOILERPLATE_NAME = new RegExp(
  ` (?:${alternatives(`
  share|sharing|sharer|sharethis|sharedaddy|addthis|addtoany|social|socials|follow us|follow me|follow links
  related|recommended|recommendations?|recirc|recirculation|outbrain|taboola|zergnet|revcontent|trending|popular|mostread
  most (?:read|viewed|popular|shared|commented)|also (?:like|read|see)|read (?:next|also)|more (?:stories|from|news|articles|posts|on|coverage)
  up next|next (?:post|article|story)|previous (?:post|article|story)|post (?:navigation|nav)|nav (?:links|previous|next)
  newsletter|newsletters|subscribe|subscription|signup|sign up|optin|opt in|mailchimp|promo|promos|promotion|cta|call to action
  ad|ads|advert|adverts|advertisement|advertising|advertorial|adslot|adsbygoogle|adunit|dfp|gpt|sponsor|sponsors|sponsored
  cookie|cookies|consent|gdpr|ccpa|breadcrumb|breadcrumbs|pagination|pager|skip (?:link|to|nav)|print only
  author (?:bio|box|info|card|profile|description|details|block)|about (?:the )?author|bio|byline|bylines|dateline|timestamp|pubdate
  (?:user|poster|member) (?:info|details|card|cell|stats)|cell user|postprofile|reputation
  publish(?:ed)? (?:date|time|on|at)|posted on|entry (?:date|meta)|post (?:date|meta|info)|article (?:date|meta|info)|(?:reading|read) time
  (?:view|share|comment|like)s? counts?|counter|post views|ratings?
  tags|taglist|tag (?:list|links|cloud)|cat links|categories|topics|keywords
  tooltip|popup|popover|modal|overlay|lightbox|toast|snackbar|sr only|screen reader|visually hidden|visuallyhidden
  sidebar|side bar|rail|masthead|site (?:header|footer|nav)|global (?:header|footer|nav)|topbar|navbar|navigation|toolbar
`)}) `,
)
/** Names of captions and credits. They count on inline elements too: no word of a sentence has such a name. */
export const CAPTION_NAME =
  / (?:i?captions?|figcaption|credits?|copyright|photographer|bildunterschrift|bildtext|(?:img|image|media|picture|photo|bild) (?:captions?|credits?|copyright|metadata|source)) /
/** A class or id that ends with "author": the box about the author, or the byline. */
export const AUTHOR_NAME = / author {2,}| author $/
export const COMMENTS_NAME =
  / (?:comments|comment (?:list|thread|form|section|area|respond)|commentlist|disqus|fb comments|respond) /
/** The names above that always mean "other stories". */
export const RELATED_NAME =
  / (?:(?:related|recommended|popular|trending|similar) (?:posts?|articles?|stories|story|news|content|links|items|reading)|relatedposts|related|recommendations|recirc|recirculation|outbrain|taboola|mostread|most (?:read|viewed|popular)|read next|up next|more stories|sidebar) /

// `category-advertising` names the topic and `no-sidebar` names what is missing; neither describes the element.
const NOT_OWN_NAME =
  /(?<![^\s])(?:category|tag|cat|topic|section|has|no|with|without|hide)[-_](?!list|links|cloud)\S+/gi
export const EMBED_NAME = / (?:embed|embedded|oembed) /

/** `mostRead-box` becomes ` most read box `. The spaces at both ends allow searching for whole words. */
export const splitName = (name: string): string =>
  name === ''
    ? ''
    : ` ${name
        .replace(/([a-z])([A-Z])/g, '$1 $2')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
        .trim()} `

/** The words of class and id. A long id is ignored: it is the slug of a heading. */
export function nameWords(element: PageElement): string {
  const id = splitName(element.getAttribute('id') ?? '')
  const names = (element.getAttribute('class') ?? '').replace(NOT_OWN_NAME, ' ').split(/\s+/).map(splitName)
  if (id.split(' ').length - 2 <= MAX_ID_WORDS && element.localName !== 'section') names.push(id)
  return names.join(' ').trim() === '' ? '' : names.join(' ')
}
const MAX_ID_WORDS = 3
