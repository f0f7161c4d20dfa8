/**
 * One pass over the document, whole or window by window: tokens in, rules of the vocabularies called.
 *
 * Keeps the stack of open elements with their namespaces, xml:base and place, and forgives what real feeds do: end
 * tags without a start are ignored, an end tag closes everything opened inside, the end of the document closes all.
 * While inside a leaf it only looks for its end. Depth is capped; nothing here recurses or looks back.
 */
import type { Tokenizer } from 'htmlparser2'
import { ANYTHING, type Rare } from '../collapse-space.ts'
import { Attributes } from './attributes.ts'
import { CDATA, ElementText, MARKUP, NOISE, seenRare, unclosedSection } from './element-text.ts'
import type { FeedDraft } from './feed-draft.ts'
import { endsLeaf, endsPerson } from './left-open.ts'
import { MAX_DEPTH } from './limits.ts'
import { NamespaceScope } from './namespaces.ts'
import { OpenLeaf } from './open-leaf.ts'
import { OpenTag } from './open-tag.ts'
import { Sections } from './sections.ts'
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
  readonly #sections = new Sections()
  readonly #leaf = new OpenLeaf(this.#sections)
  /** The rule for links, where one without anything in it has just ended. */
  #emptyLink: Leaf | null = null
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
  scan(text: string, rare: Rare, isAll = false): void {
    this.#sections.begin(text, isAll)
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

  /** Nothing comes any more. What a section that nobody closed has swallowed is read again, now that this is known. */
  end(): void {
    if (this.#sections.leftOpen) this.scan(this.takeUnread(), ANYTHING, true)
    this.#tokenizer?.end()
  }

  onopentagname(start: number, end: number): void {
    this.#emptyLink = null
    this.#tag.begin(start - 1, this.#names.at(this.#source, start, end))
    if (this.#leaf.rule && endsLeaf(this.#tag.written, this.#leaf, this.#feed.isRss)) {
      this.#leaf.finish(start - 1, this.#feed)
    }
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
    else if (this.#leaf.start === end + 1) this.#finishEmpty(end + 1)
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
    if (this.#leaf.rule) return
    if (this.#sink) this.#sink.text += this.#source.slice(start, end)
    if (this.#emptyLink) this.#takeLinkBehind(start, end)
  }

  endOfSection(open: number): number {
    return this.#sections.endOf(open, this.#leaf.rule ? this.#leaf.name : (this.#top?.written ?? ''))
  }

  oncdata(start: number, end: number, trailing: number): void {
    // Where nothing closes it, the next token begins at its end.
    this.#behind = trailing === 0 ? end : end + 1
    if (this.#leaf.rule) this.#leaf.see(CDATA)
    else if (this.#sink) {
      const text = this.#source.slice(start, end - trailing)
      this.#sink.text += escaped(trailing === 0 ? unclosedSection(text) : text)
    }
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

  /** HTML knows no links with a text, so what took the feed for HTML has put the text of each behind it. */
  #finishEmpty(end: number): void {
    const { rule, name } = this.#leaf
    this.#leaf.finish(end, this.#feed)
    if (this.#feed.isRss && name === 'link' && this.#tag.attributes() === Attributes.none) this.#emptyLink = rule
  }

  #takeLinkBehind(start: number, end: number): void {
    const text = new ElementText(this.#source, start, end, this.#leaf.seenInText)
    this.#emptyLink?.take(this.#feed, text, Attributes.none, this.#top?.inside ?? OUTSIDE)
    this.#emptyLink = null
  }

  #passNoise(end: number): void {
    this.#behind = end + 1
    this.#leaf.see(NOISE)
  }

  #open(inner: number): void {
    if (this.#leaf.rule) {
      this.#leaf.openInside(this.#tag.written)
      return
    }
    if (this.#top?.inside.place === 'person' && endsPerson(this.#tag.written, this.#feed.isRss)) this.#popPerson()
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

  #popPerson(): void {
    while (this.#top?.inside.place === 'person') this.#popTo(this.#frames.length - 1)
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
      if (!sameWord(this.#frames[at]?.written ?? '', written)) continue
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
const NO_PLACE_FOR_ENTRIES: ReadonlySet<Place> = new Set<Place>(['aside', 'person', 'packed'])

function escaped(text: string): string {
  return text.includes('&') ? text.replaceAll('&', '&amp;') : text
}

function sameName(source: string, start: number, end: number, name: string): boolean {
  if (end - start !== name.length) return false
  return source.startsWith(name, start) || sameWord(source.slice(start, end), name)
}

/** Some close <Title> with </title>. */
function sameWord(one: string, other: string): boolean {
  if (one === other) return true
  return one.length === other.length && one.toLowerCase() === other.toLowerCase()
}
