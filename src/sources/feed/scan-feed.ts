/**
 * One pass over the document: tokens in, rules of the vocabularies called.
 *
 * Keeps the stack of open elements with their namespaces, xml:base and place, and forgives what real feeds do: end
 * tags without a start are ignored, an end tag closes everything opened inside, the end of the document closes all.
 * While inside a leaf it only looks for its end. Depth is capped; nothing here recurses or looks back.
 */
import type { TokenizerCallbacks } from 'htmlparser2'
import { Attributes } from './attributes.ts'
import { CDATA, ElementText, MARKUP, NOISE, NOTHING, type Seen } from './element-text.ts'
import type { FeedDraft } from './feed-draft.ts'
import { MAX_DEPTH } from './limits.ts'
import { NamespaceScope } from './namespaces.ts'
import { OpenTag } from './open-tag.ts'
import { xmlTokenizer } from './swift-tokenizer.ts'
import type { Container, Leaf, Site } from './vocabulary.ts'

/** An open element; `inside` is where the elements in it stand. */
type Frame = { written: string; rule: Container | null; inside: Site; scope: NamespaceScope; text: string }

export function scanFeed(source: string, documentUrl: string, feed: FeedDraft): void {
  const scanner = new FeedScanner(source, documentUrl, feed)
  const tokenizer = xmlTokenizer(scanner)
  tokenizer.write(source)
  tokenizer.end()
}

const OUTSIDE: Site = { place: 'outside', depth: 0, base: null }

class FeedScanner implements TokenizerCallbacks {
  readonly #source: string
  readonly #feed: FeedDraft
  readonly #frames: Frame[] = []
  readonly #outermost = NamespaceScope.outermost()
  #top: Frame | null = null
  #overflow = 0
  /** The open element that collects the text in it, if one does. */
  #sink: Frame | null = null

  /** The open leaf: its rule, or null when none is open, and what was seen in it so far. */
  #leaf: Leaf | null = null
  #leafName = ''
  #leafAttributes = Attributes.none
  #leafSite = OUTSIDE
  #leafStart = 0
  #leafNested = 0
  #seen: Seen = NOTHING

  readonly #tag: OpenTag

  constructor(source: string, documentUrl: string, feed: FeedDraft) {
    this.#source = source
    this.#tag = new OpenTag(documentUrl)
    this.#feed = feed
  }

  onopentagname(start: number, end: number): void {
    this.#tag.begin(start - 1, this.#source.slice(start, end))
  }

  onattribname(start: number, end: number): void {
    if (!this.#leaf) this.#tag.nameAttribute(this.#source.slice(start, end))
  }

  onattribdata(start: number, end: number): void {
    if (!this.#leaf) this.#tag.giveValue(this.#source.slice(start, end))
  }

  onopentagend(end: number): void {
    this.#open(end + 1)
  }

  onselfclosingtag(end: number): void {
    const written = this.#tag.written
    this.#open(end + 1)
    if (!this.#leaf) this.#close(written)
    // Of the leaf itself, or of an element of the same name inside it.
    else if (this.#leafStart === end + 1) this.#finishLeaf(end + 1)
    else if (this.#leafNested > 0 && this.#leafName === written) this.#leafNested--
  }

  onclosetag(start: number, end: number): void {
    if (!this.#leaf) this.#close(this.#source.slice(start, end))
    else this.#closeTagInLeaf(start, end)
  }

  ontext(start: number, end: number): void {
    if (this.#sink && !this.#leaf) this.#sink.text += this.#source.slice(start, end)
  }

  oncdata(start: number, end: number, trailing: number): void {
    if (this.#leaf) this.#seen |= CDATA
    else if (this.#sink) this.#sink.text += this.#source.slice(start, end - trailing).replaceAll('&', '&amp;')
  }

  oncomment(): void {
    this.#seen |= NOISE
  }

  ondeclaration(): void {
    this.#seen |= NOISE
  }

  onprocessinginstruction(): void {
    this.#seen |= NOISE
  }

  onend(): void {
    this.#finishLeaf(this.#source.length)
    this.#popTo(0)
  }

  onattribend(): void {}
  onattribentity(): void {}
  ontextentity(): void {}

  #open(inner: number): void {
    if (this.#leaf && !this.#leafWasLeftOpen()) {
      this.#seen |= MARKUP
      if (this.#tag.written === this.#leafName) this.#leafNested++
      return
    }
    if (this.#frames.length >= MAX_DEPTH) {
      this.#overflow++
      return
    }
    const scope = this.#tag.scopeWithin(this.#top?.scope ?? this.#outermost)
    const rule = scope.ruleFor(this.#tag.written)
    const attributes = this.#tag.attributes()
    if (rule?.kind === 'leaf') this.#openLeaf(rule, attributes, inner)
    else this.#openFrame(rule, attributes, scope)
  }

  #openLeaf(rule: Leaf, attributes: Attributes, start: number): void {
    const site = this.#top?.inside ?? OUTSIDE
    const base = this.#tag.baseWithin(site, attributes)
    this.#leaf = rule
    this.#leafName = this.#tag.written
    this.#leafAttributes = attributes
    this.#leafSite = base === site.base ? site : { ...site, base }
    this.#leafStart = start
    this.#leafNested = 0
    this.#seen = NOTHING
  }

  #openFrame(rule: Container | null, attributes: Attributes, scope: NamespaceScope): void {
    if (rule?.flat) this.#closeUnfinished(rule)
    const around = this.#top?.inside ?? OUTSIDE
    const place = rule && rule.place !== 'inherit' ? rule.place : around.place
    const base = this.#tag.baseWithin(around, attributes)
    const inside: Site = { place, depth: around.depth + 1, base }
    const frame: Frame = { written: this.#tag.written, rule, inside, scope, text: '' }
    this.#frames.push(frame)
    this.#top = frame
    if (rule?.collects) this.#sink = frame
    rule?.open?.(this.#feed, attributes, around, base)
  }

  /** An entry inside an entry, or inside an image that was never closed: the ones before end here. */
  #closeUnfinished(rule: Container): void {
    const same = this.#frames.findIndex((frame) => frame.rule === rule)
    if (same >= 0) this.#popTo(same)
    while (this.#top?.inside.place === 'aside' || this.#top?.inside.place === 'person') {
      this.#popTo(this.#frames.length - 1)
    }
  }

  /** In RSS, a leaf that is still open where a sibling of it begins was never closed, whatever HTML is in it. */
  #leafWasLeftOpen(): boolean {
    if (!this.#feed.isRss) return false
    if (!SIBLINGS.has(this.#tag.written) || this.#tag.written === this.#leafName) return false
    this.#finishLeaf(this.#tag.start)
    return true
  }

  #closeTagInLeaf(start: number, end: number): void {
    // Spaces may stand between '</' and the name.
    const tagStart = this.#source.lastIndexOf('<', start)
    if (sameName(this.#source, start, end, this.#leafName)) {
      if (this.#leafNested > 0) this.#leafNested--
      else this.#finishLeaf(tagStart)
      return
    }
    for (let at = this.#frames.length - 1; at >= 0; at--) {
      if (!sameName(this.#source, start, end, this.#frames[at]?.written ?? '')) continue
      this.#finishLeaf(tagStart)
      this.#popTo(at)
      return
    }
    this.#seen |= MARKUP
  }

  #close(written: string): void {
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
    const rule = this.#leaf
    if (!rule) return
    this.#leaf = null
    const text = new ElementText(this.#source, this.#leafStart, Math.max(this.#leafStart, end), this.#seen)
    rule.take(this.#feed, text, this.#leafAttributes, this.#leafSite)
  }

  #popTo(depth: number): void {
    while (this.#frames.length > depth) {
      const frame = this.#frames.pop()
      this.#top = this.#frames.at(-1) ?? null
      if (frame === this.#sink) this.#sink = null
      frame?.rule?.close?.(this.#feed, this.#top?.inside ?? OUTSIDE, frame.text)
    }
  }
}

/** Those that are no elements of HTML too. */
const SIBLINGS = new Set(
  'item pubDate guid description category comments enclosure author content:encoded dc:creator dc:date dc:subject'.split(
    ' ',
  ),
)

function sameName(source: string, start: number, end: number, name: string): boolean {
  return end - start === name.length && source.startsWith(name, start)
}
