/**
 * How long simple HTML of feed entries takes to clean, in CPU time of the whole process: paragraphs with a link each, what
 * WordPress writes, and the entries of `feed-reader.ts`. 35 to 46 entries are cleaned at once, as for one feed.
 *
 *   node bench/clean-html.ts [rounds]
 */

import { readFeed } from '../src/sources/feed/read-feed.ts'
import { cleanIfSimple } from '../src/sources/html/clean-html.ts'
import { rssDocument } from './feed-reader-documents.ts'

const FEED_URL = 'https://example.org/feed'
const WORDS =
  'people said something about things that happened in the old town last week while others had their own opinion'
const words = (count: number) => Array.from({ length: count }, (_, at) => WORDS.split(' ')[(at * 7) % 19]).join(' ')

const paragraphs = (n: number) =>
  `<p>${words(80)}</p><p>Entry <b>${n}</b> of <a href="https://example.org/1/${n}">edition 1</a>.</p>`.repeat(6)

const wordPress = (n: number) => `
<p class="wp-block-paragraph">${words(60)}&nbsp;&#8212; <a href="https://blog.example/2026/${n}/?p=1&amp;q=2" target="_blank" rel="noreferrer noopener">${words(4)}</a>, ${words(20)}&#8217;s</p>

<figure class="wp-block-image size-large"><img fetchpriority="high" decoding="async" width="1024" height="683" src="https://blog.example/wp-content/uploads/2026/09/photo-${n}-1024x683.jpg" alt="${words(5)}" class="wp-image-${n}" srcset="https://blog.example/wp-content/uploads/photo-${n}-1024x683.jpg 1024w, https://blog.example/wp-content/uploads/photo-${n}-300x200.jpg 300w" sizes="(max-width: 1024px) 100vw, 1024px" /><figcaption class="wp-element-caption">${words(9)}</figcaption></figure>

<h2 class="wp-block-heading">${words(5)}</h2>
<ul class="wp-block-list"><li>${words(9)}</li><li><strong>${words(4)}</strong> ${words(7)}</li></ul>
<p>${words(80)} <em>${words(5)}</em> ${words(30)}</p>
<p>The post <a href="https://blog.example/2026/${n}/">${words(4)}</a> appeared first on <a href="https://blog.example">Blog</a>.</p>
`

function inFeed(html: (n: number) => string): string {
  const items = Array.from({ length: 35 }, (_, n) => `<item><description><![CDATA[${html(n)}]]></description></item>`)
  return `<rss><channel>${items.join('')}</channel></rss>`
}

const TIMES = 20

/** Each round cleans what was just read, because the text of a new document is not prepared for searching yet. */
function measure(title: string, document: string, rounds: number): void {
  const bytes = new TextEncoder().encode(document)
  const spent: number[] = []
  for (let round = 0; round < 2 * rounds; round++) {
    const entries = Array.from({ length: TIMES }, () => readFeed(bytes, { url: FEED_URL }).entries).flat()
    const before = process.cpuUsage()
    for (const { content } of entries) {
      if (content && !cleanIfSimple(content.html, content.base)) throw new Error(`${title}: not simple`)
    }
    const { user, system } = process.cpuUsage(before)
    // The first half warms up.
    if (round >= rounds) spent.push((user + system) / 1000 / TIMES)
  }
  const mean = spent.reduce((sum, ms) => sum + ms, 0) / spent.length
  const kilobytes = (bytes.length / 1000).toFixed(0)
  console.log(
    `${title.padEnd(24)}${kilobytes} KB: lowest ${Math.min(...spent).toFixed(3)} ms, mean ${mean.toFixed(3)} ms`,
  )
}

const rounds = Number(process.argv[2] ?? 40)
measure('paragraphs', inFeed(paragraphs), rounds)
measure('WordPress', inFeed(wordPress), rounds)
measure('feed-reader documents', rssDocument(), rounds)
