// Serves many feeds from its own process, so that its CPU time does not count for Tidings.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

const [feeds = 500, entries = 35, hosts = 50] = process.argv.slice(2).map(Number)
const born = Date.now()
const PARAGRAPH = 'Somebody said something about a thing that happened, and others had their own opinion about it. '

let largestBytes = 0

function document(feed: number): Buffer {
  const items = Array.from({ length: entries }, (_, n) => {
    const at = new Date(born - n * 3_600_000).toUTCString()
    const html =
      `<p>${PARAGRAPH.repeat(8)}</p><p>Entry <b>${n}</b> of <a href="https://example.org/${feed}/${n}">feed ${feed}</a>.</p>`.repeat(
        3,
      )
    return `<item><title>Entry ${n} of feed ${feed}</title><link>https://example.org/${feed}/${n}</link><guid>https://example.org/${feed}/${n}</guid><pubDate>${at}</pubDate><category>News</category><content:encoded><![CDATA[${html}]]></content:encoded></item>`
  })
  const xml = `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>Feed ${feed}</title><link>https://example.org/${feed}</link>${items.join('')}</channel></rss>`
  largestBytes = Math.max(largestBytes, xml.length)
  return gzipSync(xml)
}

const bodies = Array.from({ length: feeds }, (_, feed) => document(feed))
const origins = await Promise.all(
  Array.from({ length: hosts }, async (_, host) => {
    const server = createServer((request, response) => {
      const feed = Number(request.url?.slice(1))
      const etag = `"${feed}"`
      if (request.headers['if-none-match'] === etag) return response.writeHead(304, { etag }).end()
      response
        .writeHead(200, { 'content-type': 'application/rss+xml', 'content-encoding': 'gzip', etag })
        .end(bodies[feed])
    })
    await new Promise<void>((resolve) => server.listen(0, `127.0.2.${host + 1}`, resolve))
    return `http://127.0.2.${host + 1}:${(server.address() as AddressInfo).port}`
  }),
)
process.send?.({
  feedKb: Math.round(largestBytes / 1000),
  urls: bodies.map((_, feed) => `${origins[feed % hosts]}/${feed}`),
})
process.on('disconnect', () => process.exit(0))
