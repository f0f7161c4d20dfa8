/**
 * One pass over the document, whole or window by window: tokens in, rules of the vocabularies called.
 *
 * An element is a leaf, whose text is handed to its rule, or stands open around others. While inside a leaf only its end
 * is looked for; the end of the document closes all. Nothing here recurses or looks back.
 */
import type { Tokenizer } from 'htmlparser2'
import { ANYTHING, type Rare } from '../../text/collapse-space.ts'
import type { FeedDraft } from '../draft/feed-draft.ts'
import type { Leaf, Site } from '../vocabularies/vocabulary.ts'
import { isOfPage } from '../vocabularies/xhtml.ts'
import { Attributes } from './attributes.ts'
import { Sections } from './cdata-sections.ts'
import { CDATA, ElementText, MARKUP, NOISE, seenRare, unclosedSection } from './element-text.ts'
import { OpenElements } from './open-elements.ts'
import { OpenLeaf } from './open-leaf.ts'
import { OpenTag } from './open-tag.ts'
import { isNamed, WrittenNames } from './raw-names.ts'
import { type SwiftCallbacks, xmlTokenizer } from './swift-tokenizer.ts'
import { endsLeaf } from './unclosed-elements.ts'

export class FeedScanner implements SwiftCallbacks {
  readonly #feed: FeedDraft
  readonly #elements: OpenElements
  readonly #sections = new Sections()
  readonly #leaf = new OpenLeaf(this.#sections)
  /** The rule for links, where one without anything in it has just ended. */
  #emptyLink: Leaf | null = null
  readonly #tag: OpenTag
  readonly #names = new WrittenNames(false)
  readonly #attributeNames = new WrittenNames(true)
  #attributeName = ''
  #source = ''
  #tokenizer: Tokenizer | null = null
  /** Where the last whole token ended. */
  #behind = 0

  constructor(documentUrl: string, feed: FeedDraft) {
    this.#tag = new OpenTag(documentUrl)
    this.#feed = feed
    this.#elements = new OpenElements(feed)
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

  onplainattribute(nameStart: number, nameEnd: number, start: number, end: number): void {
    if (this.#leaf.rule) return
    const name = this.#attributeNames.at(this.#source, nameStart, nameEnd)
    this.#tag.give(name, this.#source.slice(start, end))
  }

  onattribname(start: number, end: number): void {
    if (!this.#leaf.rule) this.#attributeName = this.#attributeNames.at(this.#source, start, end)
  }

  onattribdata(start: number, end: number): void {
    if (!this.#leaf.rule) this.#tag.give(this.#attributeName, this.#source.slice(start, end))
  }

  onopentagend(end: number): void {
    this.#behind = end + 1
    this.#open(end + 1)
  }

  onselfclosingtag(end: number): void {
    this.#behind = end + 1
    const written = this.#tag.written
    this.#open(end + 1)
    if (!this.#leaf.rule) this.#elements.close(written)
    // Of the leaf itself, or of an element of the same name inside it.
    else if (this.#leaf.start === end + 1) this.#finishEmpty(end + 1)
    else if (this.#leaf.name === written) this.#leaf.closeInside()
  }

  onclosetag(start: number, end: number): void {
    // Anything may stand behind the name.
    this.#behind = this.#source.indexOf('>', end) + 1
    if (!this.#leaf.rule) this.#elements.close(this.#names.at(this.#source, start, end))
    else this.#closeTagInLeaf(start, end)
  }

  ontext(start: number, end: number): void {
    this.#behind = end
    if (this.#leaf.rule) return
    if (this.#elements.collects) this.#elements.collect(this.#source.slice(start, end))
    if (this.#emptyLink) this.#takeLinkBehind(start, end)
  }

  endOfSection(open: number): number {
    return this.#sections.endOf(open, this.#leaf.rule ? this.#leaf.name : this.#elements.innermost.written)
  }

  oncdata(start: number, end: number, trailing: number): void {
    // Where nothing closes it, the next token begins at its end.
    this.#behind = trailing === 0 ? end : end + 1
    if (this.#leaf.rule) this.#leaf.see(CDATA)
    else if (this.#elements.collects) {
      const text = this.#source.slice(start, end - trailing)
      this.#elements.collect(escaped(trailing === 0 ? unclosedSection(text) : text))
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
    this.#leaf.finishCut(this.#feed)
    this.#elements.closeCut()
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
    this.#emptyLink?.take(this.#feed, text, Attributes.none, this.#elements.innermost.inside)
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
    const around = this.#elements.makeRoom(this.#tag.written)
    if (!around) return
    const scope = this.#tag.reachesInside ? this.#tag.scopeWithin(around.scope, around.written === '') : around.scope
    const known = scope.ruleFor(this.#tag.written)
    const attributes = this.#tag.attributes()
    const rule = known?.kind === 'leaf' && known.severalIn ? (known.severalIn(attributes) ?? known) : known
    if (rule?.kind !== 'leaf') this.#elements.open(this.#tag, rule, attributes, scope)
    // Before a feed nothing says anything, least of all a <link> without an end that something put there for a page.
    else if (around.inside.place === 'outside' && !isOfPage(rule)) {
      this.#elements.open(this.#tag, null, attributes, scope)
    } else this.#openLeaf(rule, attributes, around.inside, inner)
  }

  #openLeaf(rule: Leaf, attributes: Attributes, site: Site, start: number): void {
    const base = this.#tag.reachesInside ? this.#tag.baseWithin(site, attributes) : site.base
    this.#leaf.open(rule, this.#tag, attributes, base === site.base ? site : { ...site, base }, start)
  }

  #closeTagInLeaf(start: number, end: number): void {
    // Spaces may stand between '</' and the name.
    let tagStart = start - 2
    while (this.#source.charCodeAt(tagStart) !== LESS_THAN) tagStart--
    if (isNamed(this.#source, start, end, this.#leaf.name)) {
      if (!this.#leaf.closeInside()) this.#leaf.finish(tagStart, this.#feed)
      return
    }
    const depth = this.#elements.around(this.#names.at(this.#source, start, end))
    if (depth >= 0) {
      this.#leaf.finish(tagStart, this.#feed)
      this.#elements.closeFrom(depth)
    } else this.#leaf.see(MARKUP)
  }
}

const LESS_THAN = 0x3c

function escaped(text: string): string {
  return text.includes('&') ? text.replaceAll('&', '&amp;') : text
}
