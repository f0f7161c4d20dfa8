// RSS 2.0. Descriptions are HTML by custom, so plain text is escaped once for HTML and once for XML; titles are plain
// text by the profile of the RSS Advisory Board, escaped once.
import type { OutFeed, OutItem } from './feed.ts'
import { element, htmlOf, plainElement, xmlText } from './xml.ts'

const NAMESPACES = Object.entries({
  atom: 'http://www.w3.org/2005/Atom',
  content: 'http://purl.org/rss/1.0/modules/content/',
  dc: 'http://purl.org/dc/elements/1.1/',
  media: 'http://search.yahoo.com/mrss/',
})
  .map(([prefix, uri]) => `xmlns:${prefix}="${uri}"`)
  .join(' ')

export function rssOf(feed: OutFeed): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<rss version="2.0" ${NAMESPACES}>`,
    '<channel>',
    plainElement('title', feed.title),
    element('link', feed.home),
    element('description', feed.description),
    `<atom:link href="${xmlText(feed.url)}" rel="self" type="application/rss+xml"/>`,
    element('lastBuildDate', feed.updatedAt && rfc822(feed.updatedAt)),
    element('generator', 'Tidings'),
    ...feed.items.map(itemOf),
    '</channel>',
    '</rss>',
    '',
  ].join('\n')
}

function itemOf(item: OutItem): string {
  return [
    '<item>',
    plainElement('title', item.title),
    element('link', item.url),
    `<guid isPermaLink="false">${xmlText(item.id)}</guid>`,
    element('pubDate', rfc822(item.publishedAt)),
    element('dc:creator', item.author),
    ...item.categories.map((category) => element('category', category)),
    element('description', item.html === null ? htmlOf(item.text) : htmlOf(excerptOf(item.text))),
    element('content:encoded', item.html),
    element('comments', item.commentsUrl),
    element('dc:language', item.language),
    ...item.enclosures.map(enclosureOf),
    item.image === null ? '' : `<media:content url="${xmlText(item.image)}" medium="image"/>`,
    '</item>',
  ].join('')
}

/** RSS wants one enclosure with a length and a type. Others go into Media RSS. */
function enclosureOf({ url, type, length, duration }: OutItem['enclosures'][number], index: number): string {
  const kind = xmlText(type ?? 'application/octet-stream')
  if (index === 0) return `<enclosure url="${xmlText(url)}" length="${length ?? 0}" type="${kind}"/>`
  const size = length === null ? '' : ` fileSize="${length}"`
  const seconds = duration === undefined ? '' : ` duration="${duration}"`
  return `<media:content url="${xmlText(url)}" type="${kind}"${size}${seconds}/>`
}

const EXCERPT_CHARACTERS = 500

/** The whole text stands in content:encoded. */
function excerptOf(text: string): string {
  const characters = Array.from(text.slice(0, 2 * EXCERPT_CHARACTERS))
  if (text.length <= EXCERPT_CHARACTERS) return text
  return `${characters.slice(0, EXCERPT_CHARACTERS).join('')}…`
}

function rfc822(instant: string): string {
  return new Date(instant).toUTCString()
}
