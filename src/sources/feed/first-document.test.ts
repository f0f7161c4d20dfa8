/**
 * The first document that a process reads, before any code is compiled or optimised, takes at most 1.5 times the limit
 * for all others. On an idle machine it keeps the limit itself; the rest is a reserve for busy machines.
 */
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { assertLeastWithin } from '../../../test/support/processor-time.ts'

const BYTES = 440_000
const flood = (piece: string) => piece.repeat(Math.ceil(BYTES / Buffer.byteLength(piece)))
const rss = (piece: string) => `<rss><channel>${flood(piece)}`
const atom = (piece: string) => `<feed xmlns="http://www.w3.org/2005/Atom">${flood(piece)}`

/** Very small entries: a document can hold the most of these, and each has a fixed cost. */
const documents: Record<string, string> = {
  'relative links': atom('<entry><id>a</id><link href="/b"/></entry>'),
  'bases of their own': atom('<entry xml:base="b/"><link href="c"/></entry>'),
  'paths for guids': rss('<item><guid>/a</guid></item>'),
  'titles beyond Latin 1': rss('<item><title>é—ß</title></item>'),
  'dates in French': rss('<item><pubDate>5 mars 2020</pubDate></item>'),
  'dates in Greek': rss('<item><pubDate>Πεμ, 05 Αυγ 2004 15:00</pubDate></item>'),
  'dates in Vietnamese': atom('<entry><updated type="html">Thứ Hai, 05 tháng 1 2020</updated></entry>'),
  'dates in years of an emperor': rss('<item><pubDate>令和5年1月5日</pubDate></item>'),
  'dates in New York': rss('<item><pubDate>2020-01-05 12:30 America/New_York</pubDate></item>'),
  'unreadable dates in New York': rss('<item><pubDate>mars tháng 1 2020 오후 America/New_York</pubDate></item>'),
  'dates in halves of a Korean day': rss('<item><pubDate>2004-05-25 오후 11:23:17</pubDate></item>'),
  'dates of no form': rss('<item><pubDate>Σεπ123 5 2020</pubDate></item>'),
  'attributes in single quotes': atom("<entry><link rel='alternate' href='/b'/></entry>"),
  'end tags in sections': `${rss('<item><link>a</link></item>')}<item><![CDATA[</item>${' '.repeat(60_000)}]]></item>`,
  'JSON, cut off': `{"items":[${flood('{},')}`,
}

const MEASURE = `
  import { readFileSync } from 'node:fs'
  const { readFeed } = await import(${JSON.stringify(new URL('./read-feed.ts', import.meta.url))})
  const bytes = readFileSync(0)
  const before = process.threadCpuUsage()
  readFeed(bytes, { url: 'https://feeds.example/' })
  const { user, system } = process.threadCpuUsage(before)
  console.log((user + system) / 1000)`

for (const [name, document] of Object.entries(documents)) {
  test(`a flood of entries takes little longer in a process that has read nothing yet: ${name}`, async () => {
    await assertLeastWithin(1.5 * (50 + Buffer.byteLength(document) * 1e-4), () =>
      Number(execFileSync(process.execPath, ['--input-type=module', '-e', MEASURE], { input: document })),
    )
  })
}
