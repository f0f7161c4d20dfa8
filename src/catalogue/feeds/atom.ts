// Atom (RFC 4287). Every text says whether it is plain or HTML.
import type { OutFeed, OutItem } from './feed.ts'
import { element, xmlText } from './xml.ts'

/** Atom wants an instant also of a feed to which nothing has come yet. */
const NEVER = '1970-01-01T00:00:00.000Z'

export function atomOf(feed: OutFeed): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/">',
    element('title', feed.title),
    element('subtitle', feed.description),
    element('id', feed.url),
    `<link rel="self" type="application/atom+xml" href="${xmlText(feed.url)}"/>`,
    `<link rel="alternate" href="${xmlText(feed.home)}"/>`,
    element('updated', feed.updatedAt ?? NEVER),
    element('generator', 'Tidings'),
    // Every entry needs an author, and not every post has one.
    `<author>${element('name', feed.title)}</author>`,
    ...feed.items.map(entryOf),
    '</feed>',
    '',
  ].join('\n')
}

function entryOf(item: OutItem): string {
  return [
    item.language === null ? '<entry>' : `<entry xml:lang="${xmlText(item.language)}">`,
    element('title', item.title),
    element('id', item.id),
    `<link rel="alternate" href="${xmlText(item.url)}"/>`,
    element('published', item.publishedAt),
    element('updated', item.publishedAt),
    item.author === null ? '' : `<author>${element('name', item.author)}</author>`,
    ...item.categories.map((category) => `<category term="${xmlText(category)}"/>`),
    ...item.enclosures.map(enclosureOf),
    item.commentsUrl === null ? '' : `<link rel="replies" type="text/html" href="${xmlText(item.commentsUrl)}"/>`,
    item.image === null ? '' : `<media:thumbnail url="${xmlText(item.image)}"/>`,
    item.html === null
      ? `<content type="text">${xmlText(item.text)}</content>`
      : `<content type="html">${xmlText(item.html)}</content>`,
    '</entry>',
  ].join('')
}

function enclosureOf({ url, type, length }: OutItem['enclosures'][number]): string {
  const kind = type === null ? '' : ` type="${xmlText(type)}"`
  const size = length === null ? '' : ` length="${length}"`
  return `<link rel="enclosure" href="${xmlText(url)}"${kind}${size}/>`
}
