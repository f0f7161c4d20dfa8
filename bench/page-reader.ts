/**
 * Measures cost and accuracy of our page reader, of its fallback alone, and of plain Readability, on the same pages. They
 * take turns, so that a busy moment of the machine meets all of them.
 *
 *   node bench/page-reader.ts [rounds] [--json]     on generated pages
 *   PAGE_CORPUS=folder node bench/page-reader.ts    on a folder with ground-truth.json ({id: {articleBody, url}}) and html/<id>.html.gz
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parseHTML } from 'linkedom'
import { looksCut } from '../src/domain/full-text.ts'
import { joinBlocks } from '../src/sources/website/blocks/block.ts'
import { treeBlocks } from '../src/sources/website/blocks/tree-blocks.ts'
import { fallbackElement } from '../src/sources/website/main-text/fallback-text.ts'
import { readPage } from '../src/sources/website/read-page.ts'
import type { PageElement } from '../src/sources/website/tree/dom.ts'
import { pageTree } from '../src/sources/website/tree/page-tree.ts'
import { scanPage } from '../src/sources/website/tree/scan-page.ts'
import { FIRST_VISIT, newsPage, PARAGRAPHS } from '../test/support/sample-pages.ts'
import { type Figure, figureOf, printJson, say, words } from './figures.ts'
import { f1, scorePage } from './page-reader-score.ts'
import { meanOf, quantileOf } from './spread.ts'

const { Readability } = createRequire(import.meta.url)('@mozilla/readability')
type Sample = { bytes: Buffer; url: string; truth: string }

const CONTENDERS: Record<string, (sample: Sample) => string> = {
  'Tidings readPage': ({ bytes, url }) => readPage(bytes, { url, contentType: 'text/html; charset=utf-8' }).text,
  'fallback alone': ({ bytes }) => {
    const tree = pageTree(bytes.toString(), scanPage(bytes.toString()))
    return tree ? joinBlocks(treeBlocks(fallbackElement(tree.body))) : ''
  },
  'plain Readability': ({ bytes }) => {
    const serializer = (element: PageElement) => element
    const found = new Readability(parseHTML(bytes.toString()).document, { serializer }).parse()
    return found ? joinBlocks(treeBlocks(found.content)) : ''
  },
}

function fromCorpus(folder: string): Sample[] {
  const truth = JSON.parse(readFileSync(path.join(folder, 'ground-truth.json'), 'utf8'))
  return Object.entries<{ articleBody?: string; url?: string }>(truth).map(([id, { articleBody = '', url }]) => ({
    bytes: gunzipSync(readFileSync(path.join(folder, 'html', `${id}.html.gz`))),
    url: url ?? 'https://example.org/',
    truth: articleBody,
  }))
}

/** News pages with 4 to 160 paragraphs and as many teasers. */
function generated(): Sample[] {
  return Array.from({ length: 40 }, (_, index) => {
    const texts = Array.from({ length: 4 * (index + 1) }, (_, at) => `${at}. ${PARAGRAPHS[at % PARAGRAPHS.length]}`)
    const related = texts.map((text) => text.slice(0, 60))
    return {
      bytes: Buffer.from(newsPage({ ...FIRST_VISIT, related }, texts)),
      url: 'https://example.org/',
      truth: texts.join('\n'),
    }
  })
}

interface Measured {
  readonly costs: readonly number[]
  readonly f1: number
}

function measure(read: (sample: Sample) => string, samples: readonly Sample[]): Measured {
  const costs: number[] = []
  const scores = samples.map((sample) => {
    const before = process.threadCpuUsage()
    const text = read(sample)
    const { user, system } = process.threadCpuUsage(before)
    costs.push((user + system) / 1000)
    return scorePage(sample.truth, text)
  })
  return { costs, f1: f1(scores) }
}

/** Means, so that a page counts as often as any other; each value is a round. */
function report(name: string, measured: readonly Measured[]): readonly Figure[] {
  const of = (what: string, unit: string, value: (one: Measured) => number) =>
    figureOf(`${name}, ${what}`, unit, measured.map(value))
  const [mean, p95] = [
    of('mean', 'ms', ({ costs }) => meanOf(costs)),
    of('p95', 'ms', ({ costs }) => quantileOf(costs, 0.95)),
  ]
  const [most, score] = [of('longest', 'ms', ({ costs }) => Math.max(...costs)), of('F1', '', (one) => one.f1)]
  say(
    `${name.padEnd(20)} F1 ${score.median.toFixed(4)}   CPU ms per page: mean ${mean.median.toFixed(1)} (${mean.least.toFixed(1)} to ${mean.most.toFixed(1)}), p95 ${p95.median.toFixed(1)}, max ${most.median.toFixed(1)}`,
  )
  return [mean, p95, most, score]
}

const rounds = Number(words[0] ?? 5)
const corpus = process.env.PAGE_CORPUS
const samples = corpus ? fromCorpus(corpus) : generated()
const kilobytes = samples.reduce((sum, { bytes }) => sum + bytes.length, 0) / samples.length / 1024
say(
  `${samples.length} ${corpus ? 'pages of the corpus' : 'generated pages'}, ${kilobytes.toFixed(0)} KB on average, Node ${process.version}`,
)
const cut = samples.filter(({ truth }) => looksCut(truth.slice(0, 300))).length
const whole = samples.filter(({ truth }) => looksCut(truth)).length
say(`entries with the first 300 characters that look cut: ${cut} of ${samples.length}; with the whole text: ${whole}`)
const measured = Object.entries(CONTENDERS).map(([name, read]) => ({ name, read, found: [] as Measured[] }))
for (const { read } of measured) for (const sample of samples.slice(0, 10)) read(sample)
for (let round = 0; round < rounds; round++) for (const { read, found } of measured) found.push(measure(read, samples))
const figures = measured.flatMap(({ name, found }) => report(name, found))
printJson({ pages: samples.length, isCorpus: corpus !== undefined, kilobytes, rounds }, figures)
