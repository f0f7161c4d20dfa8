/**
 * Compares feed readers by the CPU time they take from bytes to candidates: this reader, feedsmith with the same
 * HTML-to-text (for all candidate fields, and for the bodies only), rss-parser, @rowanmanning/feed-parser, and a bare
 * tokenizer that keeps nothing. This reader and feedsmith must give equal candidates before anything is measured.
 *
 * Each reader has a process of its own and reads the same document again and again, first to warm up. The processes take
 * turns, so that a busy moment of the machine meets all of them. CPU time is that of the whole process, with the threads
 * of the compiler and of the garbage collector. In one process for all readers, these threads work for one reader while
 * another is measured, and what one leaves in memory makes collections dearer for the next.
 *
 * The lowest round says what the code costs while nothing is collected; the median and the mean say what it costs in daily
 * use. The first document of a process is counted apart: modules are loaded then, but no code has run.
 *
 *   node bench/feed-reader.ts [turns] [word]     word: only this reader and those with it in their name
 */

import { deepEqual } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { readFeed } from '../src/sources/feed/read-feed.ts'
import { atomDocument, rssDocument } from './feed-reader-documents.ts'
import { CONTENDERS, FEED_URL, OWN } from './feed-readers.ts'
import { feedsmithCandidates } from './feedsmith-candidates.ts'

const DOCUMENTS: Readonly<Record<string, () => string>> = {
  'RSS 2.0 with content:encoded': rssDocument,
  'Atom 1.0 with escaped HTML': atomDocument,
  'RSS 2.0 with content:encoded, not only ASCII': () => rssDocument().replaceAll('news', 'n\u00e9ws \u2014'),
}

/** A thousand documents: only then have the compilers done most of what they will do. */
const WARM_UP_ROUNDS = 50
const ROUNDS = 20
const TIMES = 20

/** CPU time in milliseconds: of the first document, and of one document in each round. */
type Measured = { first: number; rounds: number[] }

/** In a process of its own. */
async function measureHere(reader: string, title: string): Promise<Measured> {
  const bytes = bytesOf(title)
  const read = await CONTENDERS[reader]?.load()
  const timeOf = async (times: number): Promise<number> => {
    const before = process.cpuUsage()
    for (let i = 0; i < times; i++) await read?.(bytes)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000 / times
  }
  const first = await timeOf(1)
  const rounds: number[] = []
  // Warm-up in the same rounds: whatever the compiler does about the loop itself is then over.
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) rounds.push(await timeOf(TIMES))
  return { first, rounds: rounds.slice(WARM_UP_ROUNDS) }
}

function bytesOf(title: string): Uint8Array {
  return new TextEncoder().encode(DOCUMENTS[title]?.())
}

const MEASURE = '--measure'

function measureInProcess(reader: string, title: string): Measured {
  const args = [fileURLToPath(import.meta.url), MEASURE, reader, title]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
}

/** The fields that feedsmith is compared on. */
const COMPARED = ['title', 'body', 'url', 'publishedAt', 'author', 'guid', 'categories'] as const

function compared(bytes: Uint8Array): unknown[] {
  return readFeed(bytes, { url: FEED_URL }).entries.map((entry) =>
    Object.fromEntries(COMPARED.map((name) => [name, entry[name]])),
  )
}

function compareOn(title: string, turns: number, names: readonly string[]): void {
  const bytes = bytesOf(title)
  deepEqual(feedsmithCandidates(bytes, FEED_URL), compared(bytes))
  const measured = new Map(names.map((name) => [name, [] as Measured[]]))
  for (let turn = 0; turn < turns; turn++) {
    for (const [name, all] of measured) all.push(measureInProcess(name, title))
  }
  console.log(`\n${title}, ${(bytes.length / 1000).toFixed(0)} KB, CPU in ms and as a multiple of ${OWN}`)
  const columns = ['lowest', 'median', 'mean', 'first document']
  console.log(`  ${''.padEnd(26)}${columns.map((column) => column.padStart(18)).join('')}`)
  const own = figuresOf(measured.get(OWN) ?? [])
  for (const [name, all] of measured) {
    const cells = figuresOf(all).map((ms, at) => `${ms.toFixed(3)} (${(ms / (own[at] ?? 0)).toFixed(2)}x)`.padStart(18))
    console.log(`  ${name.padEnd(26)}${cells.join('')}`)
  }
}

/** In the order of the columns. */
function figuresOf(measured: readonly Measured[]): number[] {
  const rounds = measured.flatMap((one) => one.rounds)
  const mean = rounds.reduce((sum, ms) => sum + ms, 0) / rounds.length
  return [Math.min(...rounds), medianOf(rounds), mean, medianOf(measured.map(({ first }) => first))]
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

const [first, second = '', third = ''] = process.argv.slice(2)
if (first === MEASURE) {
  console.log(JSON.stringify(await measureHere(second, third)))
} else {
  const turns = Number(first ?? 5)
  const names = Object.keys(CONTENDERS).filter((name) => name === OWN || name.includes(second))
  console.log(`What each reader makes of the bytes; ${turns} turns of ${ROUNDS} rounds of ${TIMES} documents:`)
  for (const name of names) console.log(`  ${name.padEnd(26)}${CONTENDERS[name]?.does}`)
  for (const document of Object.keys(DOCUMENTS)) compareOn(document, turns, names)
}
