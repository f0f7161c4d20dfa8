// RSS 2.0. Descriptions are HTML by custom, so plain text is escaped once for HTML and once for XML; titles are plain
// text by the profile of the RSS Advisory Board, escaped once.
import type { OutFeed, OutItem } from './feed.ts'
import { element, htmlOf, plainElement, xmlText } from './xml.ts'

export function rssOf(feed: OutFeed): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/">',
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
    element('description', htmlOf(item.text)),
    '</item>',
  ].join('')
}

function rfc822(instant: string): string {
  return new Date(instant).toUTCString()
}
