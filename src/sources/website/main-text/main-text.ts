/**
 * Finds the main text of a page. The first step that finds enough text wins:
 * 1. Readability on a tree without boilerplate, then a cleaning pass over the blocks;
 * 2. the fallback: `<article>` or the largest text block;
 * 3. the article text in the page's JSON-LD;
 * 4. all visible text.
 * Pages over the caps of the scan are read as a stream. The same bytes always give the same text.
 * See docs/decisions/0030-boilerplate-removed-before-and-after-readability.md
 */
import { createRequire } from 'node:module'
import { firstChars } from '../../feed/limits.ts'
import { type Block, joinBlocks, totalWeight } from '../blocks/block.ts'
import { cleanBlocks, withoutChangingLines } from '../blocks/clean-blocks.ts'
import { type Streamed, type StreamOptions, streamBlocks } from '../blocks/stream-blocks.ts'
import { treeBlocks } from '../blocks/tree-blocks.ts'
import { removeBoilerplate } from '../boilerplate/remove-boilerplate.ts'
import { findRepeatedBoxes } from '../lists/repeated-boxes.ts'
import type { PageDocument, PageElement } from '../tree/dom.ts'
import { pageTree } from '../tree/page-tree.ts'
import { measureProse } from '../tree/prose.ts'
import type { PageScan } from '../tree/scan-page.ts'
import { removeAboveHeading } from './above-heading.ts'
import { fallbackElement } from './fallback-text.ts'
import { removeInlineAsides } from './inline-asides.ts'
import { removeOtherArticles } from './other-articles.ts'
import { unwrapQuotes } from './quotes.ts'
import { keepOnly, statedBody } from './stated-body.ts'
import { removeSurroundings } from './surroundings.ts'

type ReadabilityClass = new (document: unknown, options: object) => { parse(): { content: PageElement } | null }
// The package is CommonJS, and its types accept only a browser's document.
const { Readability } = createRequire(import.meta.url)('@mozilla/readability') as { Readability: ReadabilityClass }

export const MAX_TEXT_CHARS = 1_048_576
const ENOUGH_CHARS = 250
// Below this there is no article to find, and Readability would try four times.
const MIN_PROSE_CHARS = 50

/** `titles`: every title that may stand above the text. `pageTitles`: only those of the page as a whole. */
export type MainTextHints = { titles: readonly string[]; pageTitles: readonly string[]; statedText: string | null }

/** `cut`: the page has more text than is kept. */
export type MainText = { text: string; cut: boolean }

export function mainText(html: string, scan: PageScan, hints: MainTextHints): MainText {
  const { titles, statedText } = hints
  const streamed = (options: Omit<StreamOptions, 'maxChars'> = {}): Streamed => {
    const { blocks, cut } = streamBlocks(html, { maxChars: MAX_TEXT_CHARS, ...options })
    return { blocks: withoutChangingLines(blocks), cut }
  }
  if (scan.tooLarge) {
    const { blocks, cut } = streamed()
    return cap(cleanBlocks(blocks, titles), cut)
  }
  const article = articleBlocks(html, scan, hints)
  if (totalWeight(article) >= ENOUGH_CHARS) return cap(article)
  const longest = longer(article, fallbackBlocks(html, scan, hints))
  if (totalWeight(longest) < ENOUGH_CHARS && statedText && statedText.length > totalWeight(longest)) {
    const { blocks, cut } = streamBlocks(statedText, { maxChars: MAX_TEXT_CHARS })
    return cap(cleanBlocks(blocks, titles), cut)
  }
  if (totalWeight(longest) > 0) return cap(longest)
  for (const options of [{}, { surroundings: true }, { noscript: true, surroundings: true }]) {
    const { blocks, cut } = streamed(options)
    if (blocks.length > 0) return cap(blocks, cut)
  }
  return { text: '', cut: false }
}

function cap(blocks: readonly Block[], cutBefore = false): MainText {
  return capText(joinBlocks(blocks), cutBefore)
}

export function capText(whole: string, cutBefore = false): MainText {
  const text = firstChars(whole, MAX_TEXT_CHARS)
  return { text, cut: cutBefore || text.length < whole.length }
}

const longer = (one: Block[], other: Block[]): Block[] => (totalWeight(other) > totalWeight(one) ? other : one)

function articleBlocks(html: string, scan: PageScan, { titles, pageTitles }: MainTextHints): Block[] {
  const tree = pageTree(html, scan)
  if (!tree) return []
  removeOtherArticles(tree.body, pageTitles)
  removeSurroundings(tree.body)
  removeBoilerplate(tree.body)
  removeAboveHeading(tree.body)
  removeInlineAsides(tree.body)
  unwrapQuotes(tree.body)
  const prose = measureProse(tree.body)
  if (prose(tree.body) < MIN_PROSE_CHARS) return []
  const stated = statedBody(tree.body)
  if (stated) keepOnly(tree.body, stated)
  // The boxes are read first, because Readability destroys the tree.
  const boxes = findRepeatedBoxes(tree.body, stated ? measureProse(tree.body) : prose)
  const boxBlocks = boxes ? cleanBlocks(treeBlocks(boxes), titles) : []
  const article = runReadability(tree.document)
  const blocks = article ? cleanBlocks(treeBlocks(article), titles) : []
  return totalWeight(blocks) >= totalWeight(boxBlocks) ? blocks : boxBlocks
}

/** Readability is written for browsers. If it throws on this tree, the page has no article and the fallback is used. */
function runReadability(document: PageDocument): PageElement | null {
  const serializer = (element: PageElement): PageElement => element
  const options = { serializer, keepClasses: true, charThreshold: ENOUGH_CHARS, disableJSONLD: true }
  try {
    return new Readability(document, options).parse()?.content ?? null
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return null
    throw error
  }
}

function fallbackBlocks(html: string, scan: PageScan, { titles, pageTitles }: MainTextHints): Block[] {
  const tree = pageTree(html, scan)
  if (!tree) return []
  removeOtherArticles(tree.body, pageTitles)
  removeSurroundings(tree.body)
  return cleanBlocks(treeBlocks(fallbackElement(tree.body)), titles)
}
