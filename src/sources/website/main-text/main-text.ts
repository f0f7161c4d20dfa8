/**
 * The main text of a page, by steps that each ask for less: the article algorithm on a tree freed of furniture, with a cleaning
 * pass after it; the floor when that finds too little; the article in the page's own JSON-LD; all the text there is.
 * Pages over the caps of the survey are read as a stream. The same bytes always give the same text.
 */
import { createRequire } from 'node:module'
import { firstChars } from '../../feed/limits.ts'
import { type Block, joinBlocks, sizeOf } from '../blocks/blocks.ts'
import { cleanBlocks, withoutVolatile } from '../blocks/clean-blocks.ts'
import { type Streamed, type StreamOptions, streamBlocks } from '../blocks/stream-blocks.ts'
import { treeBlocks } from '../blocks/tree-blocks.ts'
import { holderOfAlike } from '../lists/alike-boxes.ts'
import { removeFurniture } from '../page-furniture/furniture.ts'
import type { PageDocument, PageElement } from '../tree/dom.ts'
import { pageTree } from '../tree/page-tree.ts'
import { measureProse } from '../tree/prose.ts'
import type { Survey } from '../tree/survey-page.ts'
import { removeAboveHeading } from './above-heading.ts'
import { floorOf } from './fallback-text.ts'
import { removeAsidesInLine } from './inline-asides.ts'
import { removeOtherArticles } from './other-articles.ts'
import { freeQuotes } from './quotes.ts'
import { keepOnly, statedBody } from './stated-body.ts'
import { removeSurroundings } from './surroundings.ts'

type Reader = new (document: unknown, options: object) => { parse(): { content: PageElement } | null }
// CommonJS without types for a tree that is not the browser's.
const { Readability } = createRequire(import.meta.url)('@mozilla/readability') as { Readability: Reader }

export const MAX_TEXT_CHARS = 1_048_576
const ENOUGH_CHARS = 250
// Below this the page has no article to find; the algorithm would try four times over.
const SOME_CHARS = 50

/** `titles`: all that may head the text; `pageTitles`: those that name the page itself. */
export type MainTextHints = { titles: readonly string[]; pageTitles: readonly string[]; statedText: string | null }

/** `cut`: the page holds more than is kept. */
export type MainText = { text: string; cut: boolean }

export function mainText(html: string, survey: Survey, hints: MainTextHints): MainText {
  const { titles, statedText } = hints
  const streamed = (options: Omit<StreamOptions, 'maxChars'> = {}): Streamed => {
    const { blocks, cut } = streamBlocks(html, { maxChars: MAX_TEXT_CHARS, ...options })
    return { blocks: withoutVolatile(blocks), cut }
  }
  if (survey.tooLarge) {
    const { blocks, cut } = streamed()
    return cap(cleanBlocks(blocks, titles), cut)
  }
  const article = articleBlocks(html, survey, hints)
  if (sizeOf(article) >= ENOUGH_CHARS) return cap(article)
  const longest = longer(article, floorBlocks(html, survey, hints))
  if (sizeOf(longest) < ENOUGH_CHARS && statedText && statedText.length > sizeOf(longest)) {
    const { blocks, cut } = streamBlocks(statedText, { maxChars: MAX_TEXT_CHARS })
    return cap(cleanBlocks(blocks, titles), cut)
  }
  if (sizeOf(longest) > 0) return cap(longest)
  for (const options of [{}, { around: true }, { noscript: true, around: true }]) {
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

const longer = (one: Block[], other: Block[]): Block[] => (sizeOf(other) > sizeOf(one) ? other : one)

function articleBlocks(html: string, survey: Survey, { titles, pageTitles }: MainTextHints): Block[] {
  const tree = pageTree(html, survey)
  if (!tree) return []
  removeOtherArticles(tree.body, pageTitles)
  removeSurroundings(tree.body)
  removeFurniture(tree.body)
  removeAboveHeading(tree.body)
  removeAsidesInLine(tree.body)
  freeQuotes(tree.body)
  const prose = measureProse(tree.body)
  if (prose(tree.body) < SOME_CHARS) return []
  const stated = statedBody(tree.body)
  if (stated) keepOnly(tree.body, stated)
  // Read now: the algorithm takes the tree apart.
  const holder = holderOfAlike(tree.body, stated ? measureProse(tree.body) : prose)
  const alike = holder ? cleanBlocks(treeBlocks(holder), titles) : []
  const found = article(tree.document)
  const blocks = found ? cleanBlocks(treeBlocks(found), titles) : []
  return sizeOf(blocks) >= sizeOf(alike) ? blocks : alike
}

/** The algorithm is written for browsers; what it cannot take of this tree is a page without an article, and the floor follows. */
function article(document: PageDocument): PageElement | null {
  const serializer = (element: PageElement): PageElement => element
  const options = { serializer, keepClasses: true, charThreshold: ENOUGH_CHARS, disableJSONLD: true }
  try {
    return new Readability(document, options).parse()?.content ?? null
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return null
    throw error
  }
}

function floorBlocks(html: string, survey: Survey, { titles, pageTitles }: MainTextHints): Block[] {
  const tree = pageTree(html, survey)
  if (!tree) return []
  removeOtherArticles(tree.body, pageTitles)
  removeSurroundings(tree.body)
  return cleanBlocks(treeBlocks(floorOf(tree.body)), titles)
}
