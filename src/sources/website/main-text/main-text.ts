/**
 * Finds the main text of a page. The first step that finds enough text wins:
 * 1. on a tree without boilerplate, the element that the page marks as its article, or else what Readability finds; then a
 *    cleaning pass over the blocks;
 * 2. the fallback: `<article>` or the largest text block;
 * 3. the article text in the page's JSON-LD;
 * 4. all visible text.
 * Pages over the caps of the scan are read as a stream. The same bytes always give the same text.
 * See docs/decisions/0030-boilerplate-removed-before-and-after-readability.md
 */
import { createRequire } from 'node:module'
import { firstChars } from '../../feed/limits.ts'
import { textAsHtml } from '../../html/text-as-html.ts'
import { type Block, joinBlocks, totalWeight } from '../blocks/block.ts'
import { cleanBlocks, withoutChangingLines } from '../blocks/clean-blocks.ts'
import { type Streamed, type StreamOptions, streamBlocks } from '../blocks/stream-blocks.ts'
import { treeBlocks } from '../blocks/tree-blocks.ts'
import { removeBoilerplate } from '../boilerplate/remove-boilerplate.ts'
import { removeSignUpBoxes } from '../boilerplate/sign-up-boxes.ts'
import { findRepeatedBoxes } from '../lists/repeated-boxes.ts'
import type { PageDocument, PageElement } from '../tree/dom.ts'
import { pageTree } from '../tree/page-tree.ts'
import { measureProse } from '../tree/prose.ts'
import type { PageScan } from '../tree/scan-page.ts'
import { removeAboveHeading } from './above-heading.ts'
import { setCaptionsAside, withCaptions } from './captions.ts'
import { fallbackElement } from './fallback-text.ts'
import { removeInlineAsides } from './inline-asides.ts'
import { leadsAbove } from './lead.ts'
import { removeOtherArticles } from './other-articles.ts'
import { unwrapQuotes } from './quotes.ts'
import { statedBody } from './stated-body.ts'
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

/** `cut`: the page has more text than is kept. `html`: the same content as the page has it, not cleaned. */
export type MainText = { text: string; cut: boolean; html: string }

/** Blocks, and the HTML of the element that they were read from. */
type Found = { blocks: Block[]; html: string | null }
const NOTHING_FOUND: Found = { blocks: [], html: null }

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
  const article = findArticle(html, scan, hints)
  if (totalWeight(article.blocks) >= ENOUGH_CHARS) return cap(article.blocks, false, article.html)
  const longest = longer(article, findFallback(html, scan, hints))
  const weight = totalWeight(longest.blocks)
  if (weight < ENOUGH_CHARS && statedText && statedText.length > weight) {
    const { blocks, cut } = streamBlocks(statedText, { maxChars: MAX_TEXT_CHARS })
    return cap(cleanBlocks(blocks, titles), cut)
  }
  if (weight > 0) return cap(longest.blocks, false, longest.html)
  for (const options of [{}, { surroundings: true }, { noscript: true, surroundings: true }]) {
    const { blocks, cut } = streamed(options)
    if (blocks.length > 0) return cap(blocks, cut)
  }
  return { text: '', cut: false, html: '' }
}

function cap(blocks: readonly Block[], cutBefore = false, html: string | null = null): MainText {
  return capText(joinBlocks(blocks), cutBefore, html)
}

export function capText(whole: string, cutBefore = false, html: string | null = null): MainText {
  const text = firstChars(whole, MAX_TEXT_CHARS)
  return { text, cut: cutBefore || text.length < whole.length, html: html ?? textAsHtml(text) }
}

const longer = (one: Found, other: Found): Found => (totalWeight(other.blocks) > totalWeight(one.blocks) ? other : one)

function findArticle(html: string, scan: PageScan, { titles, pageTitles }: MainTextHints): Found {
  const tree = pageTree(html, scan)
  if (!tree) return NOTHING_FOUND
  removeOtherArticles(tree.body, pageTitles)
  removeSurroundings(tree.body)
  setCaptionsAside(tree.body, html)
  removeSignUpBoxes(tree.body)
  removeBoilerplate(tree.body)
  removeAboveHeading(tree.body)
  removeInlineAsides(tree.body)
  unwrapQuotes(tree.body)
  const prose = measureProse(tree.body)
  if (prose(tree.body) < MIN_PROSE_CHARS) return NOTHING_FOUND
  const stated = statedBody(tree.body)
  if (stated) return foundIn(withLeads(stated, tree.body), titles)
  // The boxes are read first, because Readability destroys the tree.
  const boxes = findRepeatedBoxes(tree.body, prose)
  const ofBoxes = boxes ? foundIn(boxes, titles) : NOTHING_FOUND
  const article = runReadability(tree.document)
  return longer(article ? foundIn(article, titles) : NOTHING_FOUND, ofBoxes)
}

/** Readability is not asked about such an element: it drops short parts of it, and what the author wrote as a heading. */
function withLeads(stated: PageElement, body: PageElement): PageElement {
  for (const lead of leadsAbove(body, stated).reverse()) stated.prepend(lead)
  return stated
}

function foundIn(element: PageElement, titles: readonly string[]): Found {
  return { blocks: cleanBlocks(treeBlocks(element), titles), html: withCaptions(element.innerHTML) }
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

function findFallback(html: string, scan: PageScan, { titles, pageTitles }: MainTextHints): Found {
  const tree = pageTree(html, scan)
  if (!tree) return NOTHING_FOUND
  removeOtherArticles(tree.body, pageTitles)
  removeSurroundings(tree.body)
  return foundIn(fallbackElement(tree.body), titles)
}
