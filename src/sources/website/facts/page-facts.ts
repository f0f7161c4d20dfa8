/**
 * Collects what a page states about itself while it is streamed: title, meta tags, JSON-LD, authors, dates,
 * canonical address, language. Only raw values are collected here.
 * stated-author.ts, stated-date.ts and read-page.ts choose between them.
 */

import { DatePositions, type PositionedDate } from './date-position.ts'
import { MarkedAuthor } from './marked-author.ts'

export type PageFacts = {
  title: string | null
  heading: string | null
  language: string | null
  canonical: string | null
  base: string | null
  /** The first content that is not blank, by meta name or property in lower case. */
  meta: ReadonlyMap<string, string>
  /** All values of `author` and `article:author`. Some of them are not names. */
  metaAuthors: readonly string[]
  articleAuthors: readonly string[]
  jsonLd: readonly string[]
  markedAuthors: readonly string[]
  linkedAuthors: readonly string[]
  /** Values of `itemprop=datePublished` and `<time datetime>`: those in the article first, none from its surroundings. */
  markedDates: readonly string[]
  times: readonly string[]
}

type Capture = {
  into: 'title' | 'heading' | 'jsonLd' | 'markedAuthors' | 'linkedAuthors'
  depth: number
  text: string
  limit: number
  author: MarkedAuthor | null
}

const MAX_SCRIPT_CHARS = 1_000_000
const MAX_LINE_CHARS = 1_000
const MAX_VALUES_PER_FACT = 50

const NONE: string[] = []
const words = (value: string | undefined): string[] => (value ? value.toLowerCase().split(/\s+/) : NONE)

export class FactCollector {
  #depth = 0
  #svgDepth = 0
  #capture: Capture | null = null
  readonly #dates = new DatePositions()
  readonly #markedDates: PositionedDate[] = []
  readonly #times: PositionedDate[] = []
  readonly #facts = {
    title: null as string | null,
    heading: null as string | null,
    language: null as string | null,
    canonical: null as string | null,
    base: null as string | null,
    meta: new Map<string, string>(),
    metaAuthors: [] as string[],
    articleAuthors: [] as string[],
    jsonLd: [] as string[],
    markedAuthors: [] as string[],
    linkedAuthors: [] as string[],
  }

  open(name: string, attributes: Record<string, string>): void {
    this.#depth++
    if (name === 'svg') this.#svgDepth ||= this.#depth
    this.#dates.open(name, attributes)
    this.#note(name, attributes)
    if (this.#capture === null) this.#capture = this.#begin(name, attributes)
    else this.#capture.author?.open(words(attributes.itemprop), attributes)
  }

  text(text: string): void {
    const capture = this.#capture
    if (capture?.author) capture.author.text(text)
    else if (capture && capture.text.length < capture.limit) capture.text += text
  }

  close(_name: string): void {
    const capture = this.#capture
    if (capture && capture.depth === this.#depth) {
      this.#store(capture)
      this.#capture = null
    } else capture?.author?.close()
    if (this.#svgDepth === this.#depth) this.#svgDepth = 0
    this.#dates.close()
    this.#depth--
  }

  finish(): PageFacts {
    if (this.#capture) this.#store(this.#capture)
    this.#capture = null
    const [markedDates, times] = [this.#dates.ranked(this.#markedDates), this.#dates.ranked(this.#times)]
    return { ...this.#facts, markedDates, times }
  }

  #note(name: string, attributes: Record<string, string>): void {
    const facts = this.#facts
    const properties = words(attributes.itemprop)
    if (name === 'html') facts.language ??= attributes.lang ?? attributes['xml:lang'] ?? null
    if (name === 'base') facts.base ??= attributes.href ?? null
    if (name === 'link' && words(attributes.rel).includes('canonical')) facts.canonical ??= attributes.href ?? null
    if (name === 'meta') this.#noteMeta(attributes)
    if (name === 'time' && attributes.datetime) addCapped(this.#times, this.#dates.positioned(attributes.datetime))
    const marked = properties.includes('datepublished') ? (attributes.datetime ?? attributes.content) : undefined
    if (marked) addCapped(this.#markedDates, this.#dates.positioned(marked))
    if (properties.includes('author') && attributes.content) addCapped(facts.markedAuthors, attributes.content)
  }

  #noteMeta(attributes: Record<string, string>): void {
    const { meta, metaAuthors, articleAuthors } = this.#facts
    const content = attributes.content?.slice(0, MAX_LINE_CHARS)
    if (!content?.trim()) return
    for (const key of [attributes.name, attributes.property]) {
      const name = key?.trim().toLowerCase()
      if (name && !meta.has(name)) meta.set(name, content)
      if (name === 'author') addCapped(metaAuthors, content)
      if (name === 'article:author') addCapped(articleAuthors, content)
    }
  }

  #begin(name: string, attributes: Record<string, string>): Capture | null {
    const start = (into: Capture['into'], limit = MAX_LINE_CHARS): Capture => ({
      into,
      depth: this.#depth,
      text: '',
      limit,
      author: into === 'markedAuthors' ? new MarkedAuthor() : null,
    })
    // An SVG drawing has its own titles.
    if (name === 'title' && this.#facts.title === null && this.#svgDepth === 0)
      return start('title', 4 * MAX_LINE_CHARS)
    if (name === 'h1' && this.#facts.heading === null) return start('heading')
    if (name === 'script' && /^application\/ld\+json/i.test(attributes.type ?? ''))
      return start('jsonLd', MAX_SCRIPT_CHARS)
    if (words(attributes.itemprop).includes('author') && !attributes.content) return start('markedAuthors')
    if (name === 'a' && words(attributes.rel).includes('author')) return start('linkedAuthors')
    return null
  }

  #store(capture: Capture): void {
    const facts = this.#facts
    const raw = capture.author?.name ?? capture.text
    const text = capture.into === 'jsonLd' ? raw : raw.replace(/\s+/g, ' ').trim()
    if (text === '') return
    if (capture.into === 'title' || capture.into === 'heading') facts[capture.into] ??= text
    else addCapped(facts[capture.into], text)
  }
}

function addCapped<T>(list: T[], value: T | null | undefined): void {
  if (value && list.length < MAX_VALUES_PER_FACT) list.push(value)
}
