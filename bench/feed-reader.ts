/**
 * Compares feed readers by how long they take from bytes to candidates: this reader, feedsmith with the same HTML-to-text
 * (for all candidate fields, and for the bodies only), rss-parser, @rowanmanning/feed-parser, and a bare tokenizer that
 * keeps nothing. This reader and feedsmith must give equal candidates before anything is measured.
 *
 * The readers take turns in short rounds. Each round starts with a cleared young heap, so that no reader pays for the
 * garbage of another. Wall time is measured: processor time would include the garbage collector's threads, which may
 * still work for the previous reader. The lowest time says most about the code, the median about daily use.
 *
 *   node bench/feed-reader.ts [rounds]
 */

import { deepEqual } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parseFeed as parseRowanmanning } from '@rowanmanning/feed-parser'
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import RssParser from 'rss-parser'
import { readFeed } from '../src/sources/feed/read-feed.ts'
import { atomDocument, rssDocument } from './feed-reader-documents.ts'
import { feedsmithCandidates, feedsmithTexts } from './feedsmith-candidates.ts'

type Contender = { name: string; does: string; read(bytes: Uint8Array): unknown }

const url = 'https://example.org/feed'
const decoder = new TextDecoder()
const rssParser = new RssParser()
const nothing = () => {}
const silent: TokenizerCallbacks = {
  onattribdata: nothing,
  onattribend: nothing,
  onattribentity: nothing,
  onattribname: nothing,
  oncdata: nothing,
  onclosetag: nothing,
  oncomment: nothing,
  ondeclaration: nothing,
  onend: nothing,
  onopentagend: nothing,
  onopentagname: nothing,
  onprocessinginstruction: nothing,
  onselfclosingtag: nothing,
  ontext: nothing,
  ontextentity: nothing,
}

function tokenize(bytes: Uint8Array): void {
  const tokenizer = new Tokenizer({ xmlMode: true, decodeEntities: true }, silent)
  tokenizer.write(decoder.decode(bytes))
  tokenizer.end()
}

const contenders: Contender[] = [
  {
    name: 'tidings',
    does: 'any charset, title and body as plain text, dates and links resolved',
    read: (bytes) => readFeed(bytes, { url }),
  },
  { name: 'bare tokenizer', does: 'UTF-8, tokens with entities decoded, nothing kept', read: tokenize },
  {
    name: 'feedsmith to candidates',
    does: "UTF-8, title and body as plain text by this reader's htmlToText, dates and links by the runtime",
    read: (bytes) => feedsmithCandidates(bytes, url),
  },
  {
    name: 'feedsmith + same text',
    does: "UTF-8, body as plain text by this reader's htmlToText, the rest as written",
    read: feedsmithTexts,
  },
  {
    name: '@rowanmanning/feed-parser',
    does: 'UTF-8, bodies stay HTML',
    read: (bytes) => parseRowanmanning(decoder.decode(bytes)).toJSON(),
  },
  {
    name: 'rss-parser',
    does: 'UTF-8, bodies stay HTML',
    read: (bytes) => rssParser.parseString(decoder.decode(bytes)),
  },
]

const TIMES = 20

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as (how: { type: 'minor' }) => void

async function timeRound({ read }: Contender, bytes: Uint8Array): Promise<number> {
  // A major collection would discard compiled code.
  collectGarbage({ type: 'minor' })
  const before = process.cpuUsage()
  for (let i = 0; i < TIMES; i++) await read(bytes)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / TIMES
}

/** The fields that feedsmith is compared on. */
const COMPARED = ['title', 'body', 'url', 'publishedAt', 'author', 'guid', 'categories'] as const

function compared(bytes: Uint8Array): unknown[] {
  return readFeed(bytes, { url }).entries.map((entry) =>
    Object.fromEntries(COMPARED.map((name) => [name, entry[name]])),
  )
}

const FIRST = '--first'

/** What the first document of a process costs. Each is read in a process of its own, by turns. */
async function measureFirst(times: number): Promise<void> {
  const names = ['tidings', 'feedsmith to candidates']
  const spent = new Map(names.map((name) => [name, [] as number[]]))
  for (let n = 0; n < times; n++) {
    for (const name of names) {
      const out = execFileSync(process.execPath, [fileURLToPath(import.meta.url), FIRST, name], { encoding: 'utf8' })
      spent.get(name)?.push(Number(out))
    }
  }
  const medians = names.map((name) => summary(spent.get(name) ?? []).median)
  console.log(`\nThe first document of a process, RSS 2.0, median of ${times}`)
  names.forEach((name, at) => {
    console.log(
      `  ${name.padEnd(28)}${(medians[at] ?? 0).toFixed(1)} ms   ${((medians[at] ?? 0) / (medians[0] ?? 0)).toFixed(2)}x`,
    )
  })
}

async function readFirst(name: string): Promise<void> {
  const bytes = new TextEncoder().encode(rssDocument())
  const before = process.cpuUsage()
  await contenders.find((contender) => contender.name === name)?.read(bytes)
  const { user, system } = process.cpuUsage(before)
  console.log((user + system) / 1000)
  process.exit()
}

async function measure(title: string, document: string, rounds: number): Promise<void> {
  const bytes = new TextEncoder().encode(document)
  deepEqual(feedsmithCandidates(bytes, url), compared(bytes))
  const results = new Map(contenders.map(({ name }) => [name, [] as number[]]))
  for (let round = 0; round < rounds; round++) {
    // The first third of the rounds warms the code up and does not count.
    for (const contender of contenders) {
      const ms = await timeRound(contender, bytes)
      if (round >= rounds / 3) results.get(contender.name)?.push(ms)
    }
  }
  const rows = Array.from(results, ([name, times]) => ({ name, ...summary(times) }))
  const own = rows[0]
  console.log(`\n${title}, ${(bytes.length / 1000).toFixed(0)} KB, ${Math.floor((rounds * 2) / 3)} rounds of ${TIMES}`)
  console.log(`  ${''.padEnd(28)}${'lowest CPU'.padStart(12)}${'median'.padStart(12)}   tidings is faster by`)
  for (const { name, lowest, median } of rows) {
    const times = `${lowest.toFixed(3)} ms`.padStart(12) + `${median.toFixed(3)} ms`.padStart(12)
    const factors = `${(lowest / (own?.lowest ?? 0)).toFixed(2)}x, ${(median / (own?.median ?? 0)).toFixed(2)}x`
    console.log(`  ${name.padEnd(28)}${times}   ${factors}`)
  }
}

function summary(times: number[]): { lowest: number; median: number } {
  const sorted = times.toSorted((a, b) => a - b)
  return { lowest: sorted[0] ?? Number.NaN, median: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN }
}

if (process.argv[2] === FIRST) await readFirst(process.argv[3] ?? '')
const rounds = Number(process.argv[2] ?? 45)
console.log('What each contender makes of the bytes:')
for (const { name, does } of contenders) console.log(`  ${name.padEnd(28)}${does}`)
await measure('RSS 2.0 with content:encoded', rssDocument(), rounds)
await measure('Atom 1.0 with escaped HTML', atomDocument(), rounds)
await measure(
  'RSS 2.0 with content:encoded, not only ASCII',
  rssDocument().replaceAll('news', 'n\u00e9ws \u2014'),
  rounds,
)
await measureFirst(5)
