// Serves one feed under any path and host, from its own process, so that its CPU time does not count for Tidings. Each
// edition has some new entries, all of them unless told otherwise. Every answer ends its connection, so that all
// contenders pay for new ones. Arguments: entries of the feed, and how many of them are new in each edition.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

const entries = Number(process.argv[2] ?? 35)
const newEntries = Number(process.argv[3] ?? entries)
const WORDS =
  'people said something about things that happened in the old town last week while others had their own opinion of it because nobody knows what comes next from here unless they ask somebody who was there before us'.split(
    ' ',
  )

let seed = 1
let edition = 0
/** The newest first. */
let items: string[] = []
let body = document(Date.now(), entries)

/** Ordinary text shrinks to about a third, so words must not come in the same order again and again. */
function words(count: number): string {
  return Array.from({ length: count }, () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % 7 === 0 ? seed.toString(36) : WORDS[seed % WORDS.length]
  }).join(' ')
}

/** New entries are a second apart, the newest dated `now`. */
function document(now: number, added: number): Buffer {
  items = [...Array.from({ length: added }, (_, n) => item(n, now)), ...items].slice(0, entries)
  const xml = `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>Feed</title><link>https://example.org/</link>${items.join('')}</channel></rss>`
  return gzipSync(xml)
}

function item(n: number, now: number): string {
  const at = new Date(now - n * 1000).toUTCString()
  const address = `https://example.org/${edition}/${n}`
  const paragraph = () => `<p>${words(80)}</p><p>Entry <b>${n}</b> of <a href="${address}">edition ${edition}</a>.</p>`
  const html = paragraph() + paragraph() + paragraph() + paragraph() + paragraph() + paragraph()
  return `<item><title>Entry ${n} of edition ${edition}</title><link>${address}</link><guid>${address}</guid><pubDate>${at}</pubDate><category>News</category><content:encoded><![CDATA[${html}]]></content:encoded></item>`
}

const server = createServer((request, response) => {
  const etag = `"${edition}"`
  const headers = { etag, connection: 'close', 'content-type': 'application/rss+xml' }
  if (request.headers['if-none-match'] === etag) return response.writeHead(304, headers).end()
  response.writeHead(200, { ...headers, 'content-encoding': 'gzip' }).end(body)
})
server.listen(0, '0.0.0.0', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('message', ({ now }: { now: number }) => {
  edition++
  body = document(now, newEntries)
  process.send?.({ edition })
})
process.on('disconnect', () => process.exit(0))
