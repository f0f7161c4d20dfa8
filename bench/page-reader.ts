/**
 * Measures cost and accuracy of our page reader, of its fallback alone, and of plain Readability, on the same pages.
 *
 *   node bench/page-reader.ts                       on generated pages
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
import { f1, scorePage } from './page-reader-score.ts'

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

function measure(name: string, read: (sample: Sample) => string, samples: readonly Sample[]): void {
  for (const sample of samples.slice(0, 10)) read(sample)
  const costs: number[] = []
  const scores = samples.map((sample) => {
    const before = process.threadCpuUsage()
    const text = read(sample)
    const { user, system } = process.threadCpuUsage(before)
    costs.push((user + system) / 1000)
    return scorePage(sample.truth, text)
  })
  costs.sort((a, b) => a - b)
  const mean = costs.reduce((sum, cost) => sum + cost, 0) / costs.length
  const p95 = costs[Math.floor(costs.length * 0.95)] ?? 0
  console.log(
    `${name.padEnd(20)} F1 ${f1(scores).toFixed(4)}   CPU ms per page: mean ${mean.toFixed(1)}, p95 ${p95.toFixed(1)}, max ${costs.at(-1)?.toFixed(1)}`,
  )
}

const corpus = process.env.PAGE_CORPUS
const samples = corpus ? fromCorpus(corpus) : generated()
const kilobytes = samples.reduce((sum, { bytes }) => sum + bytes.length, 0) / samples.length / 1024
console.log(
  `${samples.length} ${corpus ? 'pages of the corpus' : 'generated pages'}, ${kilobytes.toFixed(0)} KB on average, Node ${process.version}`,
)
const cut = samples.filter(({ truth }) => looksCut(truth.slice(0, 300))).length
const whole = samples.filter(({ truth }) => looksCut(truth)).length
console.log(
  `entries with the first 300 characters that look cut: ${cut} of ${samples.length}; with the whole text: ${whole}`,
)
for (const [name, read] of Object.entries(CONTENDERS)) measure(name, read, samples)
