/**
 * One pass over the document: tokens in, rules of the vocabularies called.
 *
 * Keeps the stack of open elements with their namespaces, xml:base and place, and forgives what real feeds do: end
 * tags without a start are ignored, an end tag closes everything opened inside, the end of the document closes all.
 * While inside a leaf it only looks for its end. Depth is capped; nothing here recurses or looks back.
 */
import type { TokenizerCallbacks } from 'htmlparser2'
import { Attributes } from './attributes.ts'
import { ElementText, type Seen } from './element-text.ts'
import type { FeedDraft } from './feed-draft.ts'
import { MAX_ATTRIBUTES, MAX_DEPTH } from './limits.ts'
import { resolveBase } from './links.ts'
import { NamespaceScope } from './namespaces.ts'
import { xmlTokenizer } from './swift-tokenizer.ts'
import type { Container, Leaf, Place, Site } from './vocabulary.ts'

type Frame = {
  written: string
  rule: Container | null
  place: Place
  base: string | null
  scope: NamespaceScope
  text: string
}
type OpenLeaf = {
  written: string
  rule: Leaf
  attributes: Attributes
  site: Site
  start: number
  nested: number
  seen: Seen
}

export function scanFeed(source: string, documentUrl: string, feed: FeedDraft): void {
  const scanner = new FeedScanner(source, documentUrl, feed)
  const tokenizer = xmlTokenizer(scanner)
  tokenizer.write(source)
  tokenizer.end()
}

class FeedScanner implements TokenizerCallbacks {
  readonly #source: string
  readonly #documentUrl: string
  readonly #feed: FeedDraft
  readonly #frames: Frame[] = []
  readonly #outermost = NamespaceScope.outermost()
  #overflow = 0
  #leaf: OpenLeaf | null = null
  /** The open element that collects the text in it, if one does. */
  #sink: Frame | null = null
  #tagStart = 0
  #written = ''
  #attributeName = ''
  #pairs: string[] = []

  constructor(source: string, documentUrl: string, feed: FeedDraft) {
    this.#source = source
    this.#documentUrl = documentUrl
    this.#feed = feed
  }

  onopentagname(start: number, end: number): void {
    this.#tagStart = start - 1
    this.#written = this.#source.slice(start, end)
    if (this.#pairs.length > 0) this.#pairs = []
  }

  onattribname(start: number, end: number): void {
    if (!this.#leaf) this.#attributeName = this.#source.slice(start, end).toLowerCase()
  }

  onattribdata(start: number, end: number): void {
    if (this.#leaf || this.#pairs.length >= 2 * MAX_ATTRIBUTES) return
    this.#pairs.push(this.#attributeName, this.#source.slice(start, end))
  }

  onopentagend(end: number): void {
    this.#open(end + 1)
  }

  onselfclosingtag(end: number): void {
    const written = this.#written
    this.#open(end + 1)
    this.#close(written, end + 1, end + 1)
  }

  onclosetag(start: number, end: number): void {
    // Spaces may stand between '</' and the name.
    const tagStart = this.#source.lastIndexOf('<', start)
    if (this.#leaf) this.#closeTagInLeaf(this.#leaf, start, end, tagStart)
    else this.#close(this.#source.slice(start, end), tagStart, end)
  }

  ontext(start: number, end: number): void {
    if (this.#sink && !this.#leaf) this.#sink.text += this.#source.slice(start, end)
  }

  oncdata(start: number, end: number, trailing: number): void {
    if (this.#leaf) this.#leaf.seen.cdata = true
    else if (this.#sink) this.#sink.text += this.#source.slice(start, end - trailing).replaceAll('&', '&amp;')
  }

  oncomment(): void {
    if (this.#leaf) this.#leaf.seen.noise = true
  }

  ondeclaration(): void {
    if (this.#leaf) this.#leaf.seen.noise = true
  }

  onprocessinginstruction(): void {
    if (this.#leaf) this.#leaf.seen.noise = true
  }

  onend(): void {
    this.#finishLeaf(this.#source.length)
    this.#popTo(0)
  }

  onattribend(): void {}
  onattribentity(): void {}
  ontextentity(): void {}

  #open(inner: number): void {
    if (this.#leaf && !this.#leafWasLeftOpen(this.#leaf)) {
      this.#leaf.seen.markup = true
      if (this.#written === this.#leaf.written) this.#leaf.nested++
      return
    }
    if (this.#frames.length >= MAX_DEPTH) {
      this.#overflow++
      return
    }
    const parent = this.#frames.at(-1)
    const scope = this.#scope(parent?.scope ?? this.#outermost)
    const rule = scope.ruleFor(this.#written)
    const attributes = this.#pairs.length > 0 ? new Attributes(this.#pairs) : Attributes.none
    if (rule?.kind === 'leaf') this.#openLeaf(rule, attributes, inner)
    else this.#openFrame(rule, attributes, scope)
  }

  #openLeaf(rule: Leaf, attributes: Attributes, start: number): void {
    const parent = this.#frames.at(-1)
    const base = this.#base(attributes)
    const site = { place: parent?.place ?? 'outside', depth: this.#frames.length, base } satisfies Site
    const seen = { markup: false, cdata: false, noise: false }
    this.#leaf = { written: this.#written, rule, attributes, site, start, nested: 0, seen }
  }

  #openFrame(rule: Container | null, attributes: Attributes, scope: NamespaceScope): void {
    if (rule?.flat) this.#closeUnfinished(rule)
    const base = this.#base(attributes)
    const around = this.#frames.at(-1)?.place ?? 'outside'
    const place = rule && rule.place !== 'inherit' ? rule.place : around
    const frame = { written: this.#written, rule, place, base, scope, text: '' }
    this.#frames.push(frame)
    if (rule?.collects) this.#sink = frame
    rule?.open?.(this.#feed, attributes, { place: around, depth: this.#frames.length, base })
  }

  /** An entry inside an entry, or inside an image that was never closed: the ones before end here. */
  #closeUnfinished(rule: Container): void {
    const same = this.#frames.findIndex((frame) => frame.rule === rule)
    if (same >= 0) this.#popTo(same)
    while (this.#frames.at(-1)?.place === 'aside' || this.#frames.at(-1)?.place === 'person') {
      this.#popTo(this.#frames.length - 1)
    }
  }

  /** In RSS, a leaf that is still open where a sibling of it begins was never closed. */
  #leafWasLeftOpen(open: OpenLeaf): boolean {
    if (!this.#feed.isRss || open.seen.markup || !SIBLINGS.has(this.#written) || this.#written === open.written)
      return false
    this.#finishLeaf(this.#tagStart)
    return true
  }

  #closeTagInLeaf(open: OpenLeaf, start: number, end: number, tagStart: number): void {
    if (sameName(this.#source, start, end, open.written)) {
      if (open.nested > 0) open.nested--
      else this.#finishLeaf(tagStart)
      return
    }
    for (let at = this.#frames.length - 1; at >= 0; at--) {
      if (!sameName(this.#source, start, end, this.#frames[at]?.written ?? '')) continue
      this.#finishLeaf(tagStart)
      this.#popTo(at)
      return
    }
    open.seen.markup = true
  }

  #close(written: string, tagStart: number, end: number): void {
    if (this.#leaf) {
      // A self-closing tag: of the leaf itself, or somewhere inside it.
      if (this.#leaf.start === end && this.#leaf.written === written) this.#finishLeaf(tagStart)
      else if (this.#leaf.written === written && this.#leaf.nested > 0) this.#leaf.nested--
      return
    }
    if (this.#overflow > 0) {
      this.#overflow--
      return
    }
    for (let at = this.#frames.length - 1; at >= 0; at--) {
      if (this.#frames[at]?.written !== written) continue
      this.#popTo(at)
      return
    }
  }

  #finishLeaf(end: number): void {
    const open = this.#leaf
    if (!open) return
    this.#leaf = null
    const text = new ElementText(this.#source, open.start, Math.max(open.start, end), open.seen)
    open.rule.take(this.#feed, text, open.attributes, open.site)
  }

  #popTo(depth: number): void {
    while (this.#frames.length > depth) {
      const frame = this.#frames.pop()
      if (frame === this.#sink) this.#sink = null
      const place = this.#frames.at(-1)?.place ?? 'outside'
      frame?.rule?.close?.(this.#feed, { place, depth: this.#frames.length, base: frame.base }, frame.text)
    }
  }

  #scope(around: NamespaceScope): NamespaceScope {
    let declarations: [string, string][] | null = null
    for (let at = 0; at < this.#pairs.length; at += 2) {
      const name = this.#pairs[at] ?? ''
      if (!name.startsWith('xmlns')) continue
      declarations ??= []
      if (name === 'xmlns') declarations.push(['', this.#pairs[at + 1] ?? ''])
      else if (name[5] === ':') declarations.push([name.slice(6), this.#pairs[at + 1] ?? ''])
    }
    return declarations ? around.within(declarations) : around
  }

  #base(attributes: Attributes): string | null {
    const around = this.#frames.at(-1)?.base ?? null
    if (this.#pairs.length === 0) return around
    const stated = attributes.firstOf('xml:base', 'base')
    return stated === null ? around : (resolveBase(stated, around ?? this.#documentUrl) ?? around)
  }
}

const SIBLINGS = new Set([
  'item',
  'pubDate',
  'guid',
  'description',
  'category',
  'comments',
  'enclosure',
  'content:encoded',
])

function sameName(source: string, start: number, end: number, name: string): boolean {
  return end - start === name.length && source.startsWith(name, start)
}
