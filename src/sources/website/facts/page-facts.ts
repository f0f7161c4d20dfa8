/**
 * What a page states about itself, gathered while it streams by: title, meta tags, JSON-LD, marked authors and dates,
 * canonical address, language. Raw statements only; which of them is believed is decided where each fact is chosen.
 */
import { MarkedAuthor } from './page-facts-author.ts'
import { type Placed, PlaceOnPage } from './page-facts-place.ts'

export type PageFacts = {
  title: string | null
  heading: string | null
  language: string | null
  canonical: string | null
  base: string | null
  /** First content that is not blank of each meta name or property, lower case. */
  meta: ReadonlyMap<string, string>
  /** All contents of `author` and of `article:author`: the first that is a name counts, which need not be the first. */
  metaAuthors: readonly string[]
  articleAuthors: readonly string[]
  jsonLd: readonly string[]
  markedAuthors: readonly string[]
  linkedAuthors: readonly string[]
  /** `itemprop=datePublished` and `<time datetime>`: the article's own first, none of what stands around it. */
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
const MAX_KEPT = 50

const NONE: string[] = []
const words = (value: string | undefined): string[] => (value ? value.toLowerCase().split(/\s+/) : NONE)

export class FactCollector {
  #depth = 0
  #drawingDepth = 0
  #capture: Capture | null = null
  readonly #place = new PlaceOnPage()
  readonly #markedDates: Placed[] = []
  readonly #times: Placed[] = []
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
    if (name === 'svg') this.#drawingDepth ||= this.#depth
    this.#place.open(name, attributes)
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
    if (this.#drawingDepth === this.#depth) this.#drawingDepth = 0
    this.#place.close()
    this.#depth--
  }

  finish(): PageFacts {
    if (this.#capture) this.#store(this.#capture)
    this.#capture = null
    const [markedDates, times] = [this.#place.best(this.#markedDates), this.#place.best(this.#times)]
    return { ...this.#facts, markedDates, times }
  }

  #note(name: string, attributes: Record<string, string>): void {
    const facts = this.#facts
    const properties = words(attributes.itemprop)
    if (name === 'html') facts.language ??= attributes.lang ?? attributes['xml:lang'] ?? null
    if (name === 'base') facts.base ??= attributes.href ?? null
    if (name === 'link' && words(attributes.rel).includes('canonical')) facts.canonical ??= attributes.href ?? null
    if (name === 'meta') this.#noteMeta(attributes)
    if (name === 'time' && attributes.datetime) keep(this.#times, this.#place.placed(attributes.datetime))
    const marked = properties.includes('datepublished') ? (attributes.datetime ?? attributes.content) : undefined
    if (marked) keep(this.#markedDates, this.#place.placed(marked))
    if (properties.includes('author') && attributes.content) keep(facts.markedAuthors, attributes.content)
  }

  #noteMeta(attributes: Record<string, string>): void {
    const { meta, metaAuthors, articleAuthors } = this.#facts
    const content = attributes.content?.slice(0, MAX_LINE_CHARS)
    if (!content?.trim()) return
    for (const key of [attributes.name, attributes.property]) {
      const name = key?.trim().toLowerCase()
      if (name && !meta.has(name)) meta.set(name, content)
      if (name === 'author') keep(metaAuthors, content)
      if (name === 'article:author') keep(articleAuthors, content)
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
    // A drawing has titles of its own.
    if (name === 'title' && this.#facts.title === null && this.#drawingDepth === 0)
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
    const said = capture.author?.said ?? capture.text
    const text = capture.into === 'jsonLd' ? said : said.replace(/\s+/g, ' ').trim()
    if (text === '') return
    if (capture.into === 'title' || capture.into === 'heading') facts[capture.into] ??= text
    else keep(facts[capture.into], text)
  }
}

function keep<T>(list: T[], value: T | null | undefined): void {
  if (value && list.length < MAX_KEPT) list.push(value)
}
