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
 * use. The first document of a process is counted apart: the modules of this one reader are loaded then, but no code has
 * run. All the work that it gives to the runtime's threads counts, also what they finish later. It varies, so each turn has
 * further processes that read nothing but that one.
 * See docs/decisions/0240-first-document-of-a-process-stays-as-it-is.md
 *
 *   node bench/feed-reader.ts [turns] [word] [--json] [--quick]
 *
 * word: only this reader and those with it in their name. --quick: hardly any warm-up, to try whether everything runs.
 */

import { deepEqual } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { readFeed } from '../src/sources/feed/read-feed.ts'
import { bytesOf, DOCUMENTS } from './feed-reader-documents.ts'
import type { Measured } from './feed-reader-process.ts'
import { CONTENDERS, FEED_URL, OWN } from './feed-readers.ts'
import { feedsmithCandidates } from './feedsmith-candidates.ts'
import { type Figure, figureOf, printJson, say, words } from './figures.ts'
import { meanOf } from './spread.ts'

/** A thousand documents: only then have the compilers done most of what they will do. */
const isQuick = process.argv.includes('--quick')
const WARM_UP_ROUNDS = isQuick ? 2 : 50
const ROUNDS = isQuick ? 3 : 20
const TIMES = 20
/** Of each turn, besides the one that goes on reading. */
const FIRST_DOCUMENTS = 2

/** In a process of its own, which reads nothing after its first document if no rounds are wanted. */
function measureInProcess(reader: string, title: string, rounds: number): Measured {
  const program = fileURLToPath(new URL('./feed-reader-process.ts', import.meta.url))
  const args = [program, reader, title, String(rounds), String(TIMES)]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
}

/** The fields that feedsmith is compared on. */
const COMPARED = ['title', 'body', 'url', 'publishedAt', 'author', 'guid', 'categories'] as const

function compared(bytes: Uint8Array): unknown[] {
  return readFeed(bytes, { url: FEED_URL }).entries.map((entry) =>
    Object.fromEntries(COMPARED.map((name) => [name, entry[name]])),
  )
}

/** Of one reader, in all turns: the mean of each turn, every round, and every first document. */
type Turns = { means: number[]; rounds: number[]; firsts: number[] }

function addTurn(reader: string, title: string, { means, rounds, firsts }: Turns): void {
  const whole = measureInProcess(reader, title, WARM_UP_ROUNDS + ROUNDS)
  // Warm-up in the same rounds: whatever the compiler does about the loop itself is then over.
  const warm = whole.rounds.slice(WARM_UP_ROUNDS)
  means.push(meanOf(warm))
  rounds.push(...warm)
  firsts.push(whole.first)
  for (let n = 0; n < FIRST_DOCUMENTS; n++) firsts.push(measureInProcess(reader, title, 0).first)
}

function compareOn(title: string, turns: number, names: readonly string[]): readonly Figure[] {
  const bytes = bytesOf(title)
  deepEqual(feedsmithCandidates(bytes, FEED_URL), compared(bytes))
  const measured = new Map(names.map((name): [string, Turns] => [name, { means: [], rounds: [], firsts: [] }]))
  for (let turn = 0; turn < turns; turn++) {
    for (const [name, all] of measured) addTurn(name, title, all)
  }
  say(`\n${title}, ${(bytes.length / 1000).toFixed(0)} KB, CPU in ms and as a multiple of ${OWN}`)
  const columns = ['lowest', 'median', 'mean', 'first document']
  say(`  ${''.padEnd(26)}${columns.map((column) => column.padStart(18)).join('')}`)
  const figures = [...measured].map(([name, all]) => ({ name, all: figuresOf(`${title}: ${name}`, all) }))
  const own = columnsOf(figures[0]?.all ?? [])
  for (const { name, all } of figures) {
    const cells = columnsOf(all).map((ms, at) => `${ms.toFixed(3)} (${(ms / (own[at] ?? 0)).toFixed(2)}x)`.padStart(18))
    say(`  ${name.padEnd(26)}${cells.join('')}`)
  }
  return figures.flatMap(({ all }) => all)
}

function figuresOf(name: string, { means, rounds, firsts }: Turns): readonly Figure[] {
  return [
    figureOf(`${name}, each round`, 'ms', rounds),
    figureOf(`${name}, mean of a turn`, 'ms', means),
    figureOf(`${name}, first document`, 'ms', firsts),
  ]
}

/** Turns have as many rounds each, so the mean of their means is that of all rounds. */
function columnsOf([rounds, means, firsts]: readonly Figure[]): number[] {
  return [rounds?.least, rounds?.median, meanOf(means?.values ?? []), firsts?.median].map((ms) => ms ?? Number.NaN)
}

const [first = '5', word = ''] = words
const turns = Number(first)
const names = Object.keys(CONTENDERS).filter((name) => name === OWN || name.includes(word))
say(`What each reader makes of the bytes; ${turns} turns of ${ROUNDS} rounds of ${TIMES} documents:`)
for (const name of names) say(`  ${name.padEnd(26)}${CONTENDERS[name]?.does}`)
const figures = Object.keys(DOCUMENTS).flatMap((document) => compareOn(document, turns, names))
printJson({ turns, rounds: ROUNDS, documents: Object.keys(DOCUMENTS), readers: names }, figures)
