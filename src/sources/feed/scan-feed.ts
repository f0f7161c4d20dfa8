/**
 * One pass over the document, whole or window by window: tokens in, rules of the vocabularies called.
 *
 * Keeps the stack of open elements with their namespaces, xml:base and place, and forgives what real feeds do: end
 * tags without a start are ignored, an end tag closes everything opened inside, the end of the document closes all.
 * While inside a leaf it only looks for its end. Depth is capped; nothing here recurses or looks back.
 */
import type { Tokenizer } from 'htmlparser2'
import type { Rare } from '../collapse-space.ts'
import type { Attributes } from './attributes.ts'
import { CDATA, MARKUP, NOISE, seenRare } from './element-text.ts'
import type { FeedDraft } from './feed-draft.ts'
import { MAX_DEPTH } from './limits.ts'
import { NamespaceScope } from './namespaces.ts'
import { OpenLeaf } from './open-leaf.ts'
import { OpenTag } from './open-tag.ts'
import { type SwiftCallbacks, xmlTokenizer } from './swift-tokenizer.ts'
import { type Container, type Leaf, OUTSIDE, type Place, type Site } from './vocabulary.ts'
import { WrittenNames } from './written-names.ts'

/** An open element; `inside` is where the elements in it stand. */
type Frame = { written: string; rule: Container | null; inside: Site; scope: NamespaceScope; text: string }

export class FeedScanner implements SwiftCallbacks {
  readonly #feed: FeedDraft
  readonly #frames: Frame[] = []
  readonly #outermost = NamespaceScope.outermost()
  #top: Frame | null = null
  #overflow = 0
  /** The open element that collects the text in it, if one does. */
  #sink: Frame | null = null

  /** By depth, the last one there: elements mostly hold the same as the one before them. */
  readonly #sites: Site[] = []
  readonly #leaf = new OpenLeaf()
  readonly #tag: OpenTag
  readonly #names = new WrittenNames()
  #source = ''
  #tokenizer: Tokenizer | null = null
  /** Where the last whole token ended. */
  #behind = 0

  constructor(documentUrl: string, feed: FeedDraft) {
    this.#tag = new OpenTag(documentUrl)
    this.#feed = feed
  }

  /** The document, or its next part, which begins with what is `unread` of the one before. `rare` as in htmlToText. */
  scan(text: string, rare: Rare): void {
    this.#source = text
    this.#leaf.source = text
    this.#leaf.seenInText = seenRare(rare)
    this.#behind = 0
    this.#tokenizer = xmlTokenizer(this)
    this.#tokenizer.write(text)
  }

  /** From where something begins that the text does not end: a leaf, a CDATA section, a tag. Mostly nothing. */
  takeUnread(): string {
    return this.#source.slice(this.#leaf.abandon() ?? this.#behind)
  }

  /** Nothing comes any more. */
  end(): void {
    this.#tokenizer?.end()
  }

  onopentagname(start: number, end: number): void {
    this.#tag.begin(start - 1, this.#names.at(this.#source, start, end))
  }

  onplaintagend(end: number): number {
    this.#open(end + 1)
    const { rule, start } = this.#leaf
    const behind = rule !== null && start === end + 1 ? this.#leaf.finishAtOnce(this.#feed) : -1
    this.#behind = behind < 0 ? end + 1 : behind
    return this.#behind
  }

  onattribname(start: number, end: number): void {
    if (!this.#leaf.rule) this.#tag.nameAttribute(this.#names.at(this.#source, start, end))
  }

  onattribdata(start: number, end: number): void {
    if (!this.#leaf.rule) this.#tag.giveValue(this.#source.slice(start, end))
  }

  onopentagend(end: number): void {
    this.#behind = end + 1
    this.#open(end + 1)
  }

  onselfclosingtag(end: number): void {
    this.#behind = end + 1
    const written = this.#tag.written
    this.#open(end + 1)
    if (!this.#leaf.rule) this.#close(written)
    // Of the leaf itself, or of an element of the same name inside it.
    else if (this.#leaf.start === end + 1) this.#leaf.finish(end + 1, this.#feed)
    else if (this.#leaf.name === written) this.#leaf.closeInside()
  }

  onclosetag(start: number, end: number): void {
    // Anything may stand behind the name.
    this.#behind = this.#source.indexOf('>', end) + 1
    if (!this.#leaf.rule) this.#close(this.#names.at(this.#source, start, end))
    else this.#closeTagInLeaf(start, end)
  }

  ontext(start: number, end: number): void {
    this.#behind = end
    if (this.#sink && !this.#leaf.rule) this.#sink.text += this.#source.slice(start, end)
  }

  oncdata(start: number, end: number, trailing: number): void {
    this.#behind = end + 1
    if (this.#leaf.rule) this.#leaf.see(CDATA)
    else if (this.#sink) this.#sink.text += escaped(this.#source.slice(start, end - trailing))
  }

  oncomment(_start: number, end: number): void {
    this.#passNoise(end)
  }

  ondeclaration(_start: number, end: number): void {
    this.#passNoise(end)
  }

  onprocessinginstruction(_start: number, end: number): void {
    this.#passNoise(end)
  }

  onend(): void {
    this.#leaf.finish(this.#source.length, this.#feed)
    this.#popTo(0)
  }

  onattribend(): void {}
  onattribentity(): void {}
  ontextentity(): void {}

  #passNoise(end: number): void {
    this.#behind = end + 1
    this.#leaf.see(NOISE)
  }

  #open(inner: number): void {
    if (this.#leaf.rule && !this.#leafWasLeftOpen()) {
      this.#leaf.openInside(this.#tag.written)
      return
    }
    if (this.#frames.length >= MAX_DEPTH) {
      this.#overflow++
      return
    }
    const scope = this.#tag.scopeWithin(this.#top?.scope ?? this.#outermost, this.#top === null)
    const known = scope.ruleFor(this.#tag.written)
    const attributes = this.#tag.attributes()
    const rule = known?.kind === 'leaf' && known.severalIn ? (known.severalIn(attributes) ?? known) : known
    if (rule?.kind === 'leaf') this.#openLeaf(rule, attributes, inner)
    else this.#openFrame(rule, attributes, scope)
  }

  #openLeaf(rule: Leaf, attributes: Attributes, start: number): void {
    const site = this.#top?.inside ?? OUTSIDE
    const base = this.#tag.baseWithin(site, attributes)
    this.#leaf.open(rule, this.#tag, attributes, base === site.base ? site : { ...site, base }, start)
  }

  #openFrame(rule: Container | null, attributes: Attributes, scope: NamespaceScope): void {
    if (rule?.flat) this.#closeUnfinished(rule)
    const around = this.#top?.inside ?? OUTSIDE
    const place = rule && rule.place !== 'inherit' ? rule.place : around.place
    const base = this.#tag.baseWithin(around, attributes)
    const inside = this.#siteAt(around.depth + 1, place, base)
    const frame: Frame = { written: this.#tag.written, rule, inside, scope, text: '' }
    this.#frames.push(frame)
    this.#top = frame
    if (rule?.collects) this.#sink = frame
    rule?.open?.(this.#feed, attributes, around, base)
  }

  #siteAt(depth: number, place: Place, base: string | null): Site {
    const before = this.#sites[depth]
    if (before && before.place === place && before.base === base) return before
    const site = { place, depth, base }
    this.#sites[depth] = site
    return site
  }

  /** An entry inside an entry, or inside an image that was never closed: the ones before end here. */
  #closeUnfinished(rule: Container): void {
    let same = 0
    while (same < this.#frames.length && this.#frames[same]?.rule !== rule) same++
    this.#popTo(same)
    while (this.#top && NO_PLACE_FOR_ENTRIES.has(this.#top.inside.place)) this.#popTo(this.#frames.length - 1)
  }

  /** In RSS, a leaf that is still open where a sibling of it begins was never closed, whatever HTML is in it. */
  #leafWasLeftOpen(): boolean {
    if (!this.#feed.isRss) return false
    const { written } = this.#tag
    if (written === this.#leaf.name) return false
    if (!SIBLINGS.has(written) && !(written === 'link' && WITHOUT_HTML.has(this.#leaf.name))) return false
    this.#leaf.finish(this.#tag.start, this.#feed)
    return true
  }

  #closeTagInLeaf(start: number, end: number): void {
    // Spaces may stand between '</' and the name.
    let tagStart = start - 2
    while (this.#source.charCodeAt(tagStart) !== LESS_THAN) tagStart--
    if (sameName(this.#source, start, end, this.#leaf.name)) {
      if (!this.#leaf.closeInside()) this.#leaf.finish(tagStart, this.#feed)
      return
    }
    for (let at = this.#frames.length - 1; at >= 0; at--) {
      if (!sameName(this.#source, start, end, this.#frames[at]?.written ?? '')) continue
      this.#leaf.finish(tagStart, this.#feed)
      this.#popTo(at)
      return
    }
    this.#leaf.see(MARKUP)
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

  #popTo(depth: number): void {
    while (this.#frames.length > depth) {
      const frame = this.#frames.pop()
      this.#top = this.#frames[this.#frames.length - 1] ?? null
      if (frame === this.#sink) this.#sink = null
      frame?.rule?.close?.(this.#feed, this.#top?.inside ?? OUTSIDE, frame.text)
    }
  }
}

const LESS_THAN = 0x3c
const NO_PLACE_FOR_ENTRIES: ReadonlySet<Place> = new Set<Place>(['aside', 'person'])

/** Those that are no elements of HTML too. */
const SIBLINGS = new Set(
  'item pubDate guid description category comments enclosure author content:encoded dc:creator dc:date dc:subject'.split(
    ' ',
  ),
)
/** Those that hold no HTML, where a link might be an element of it. */
const WITHOUT_HTML = new Set('title pubDate guid category comments'.split(' '))

function escaped(text: string): string {
  return text.includes('&') ? text.replaceAll('&', '&amp;') : text
}

function sameName(source: string, start: number, end: number, name: string): boolean {
  return end - start === name.length && source.startsWith(name, start)
}
