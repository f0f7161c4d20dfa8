// Small feeds for tests: a text, what stands in a channel, or what stands in its one item.
import assert from 'node:assert/strict'
import { readFeed } from '../../src/sources/feed/read-feed.ts'

export const url = 'https://feeds.example/dir/feed.xml'
export const read = (text: string, contentType?: string) => readFeed(Buffer.from(text), { url, contentType })
export const rss = (inside: string) =>
  read(`<rss version="2.0"><channel><link>https://site.example/</link>${inside}</channel></rss>`)
export const item = (inside: string) => {
  const [entry] = rss(`<item>${inside}</item>`).entries
  assert.ok(entry)
  return entry
}
