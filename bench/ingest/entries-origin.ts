// An origin whose feeds have only new entries in every answer.
import { createServer } from 'node:http'
import { DAY_MS } from '../../src/domain/schedule.ts'

/** Words that a search has to index, about as long as an entry of a feed. */
export const BODY = Array.from({ length: 200 }, (_, n) => `word${(n * 7919) % 3000}`).join(' ')

const STARTED_AT = Date.now()

export async function startEntriesOrigin(entriesOfAnswer: number) {
  let entries = 0
  const origin = createServer((_, response) => {
    const items = Array.from({ length: entriesOfAnswer }, () => {
      const n = ++entries
      // Each is newer than those before it, and none lies ahead.
      const at = new Date(STARTED_AT - DAY_MS + n * 20).toUTCString()
      return `<item><title>Entry ${n}</title><guid>${n}</guid><pubDate>${at}</pubDate><description>${BODY} ${n}</description></item>`
    })
    response.writeHead(200, { 'content-type': 'application/rss+xml' })
    response.end(`<rss version="2.0"><channel><title>F</title>${items.join('')}</channel></rss>`)
  })
  await new Promise<void>((resolve) => origin.listen(0, '0.0.0.0', resolve))
  const address = origin.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    urlOf: (host: number) => `http://127.2.${Math.floor(host / 250)}.${(host % 250) + 1}:${port}/feed`,
    close: () => {
      origin.close()
      origin.closeAllConnections()
    },
  }
}
