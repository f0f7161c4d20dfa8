/**
 * Reports the tags and texts of a document, whole or part by part, to an ElementReader.
 *
 * It remembers where the last complete token ended. If a part ends inside a token or a leaf, the caller takes what was
 * not read and scans it again in front of the next part.
 */
import type { Tokenizer } from 'htmlparser2'
import { ANYTHING, type Rare } from '../../text/collapse-space.ts'
import type { FeedDraft } from '../draft/feed-draft.ts'
import { ElementReader } from '../elements/element-reader.ts'
import { seenRare } from '../elements/element-text.ts'
import { CdataSections } from './cdata-sections.ts'
import { type FastCallbacks, xmlTokenizer } from './fast-tokenizer.ts'
import { finishWholeLeaf } from './whole-leaf.ts'

export class FastScanner implements FastCallbacks {
  readonly #feed: FeedDraft
  readonly #reader: ElementReader
  readonly #sections = new CdataSections()
  #attributeName = ''
  #source = ''
  #tokenizer: Tokenizer | null = null
  /** The position behind the last complete token. */
  #behind = 0

  constructor(documentUrl: string, feed: FeedDraft) {
    this.#feed = feed
    this.#reader = new ElementReader(documentUrl, feed)
  }

  /** Scans the document, or its next part with the unread rest of the previous part in front. */
  scan(text: string, rare: Rare, isLast = false): void {
    this.#sections.begin(text, isLast)
    this.#source = text
    this.#reader.begin(text, seenRare(rare))
    this.#behind = 0
    this.#tokenizer = xmlTokenizer(this)
    this.#tokenizer.write(text)
  }

  /** Returns what begins in the text but does not end in it: a leaf, a CDATA section or a tag. Usually it is empty. */
  takeUnread(): string {
    return this.#source.slice(this.#reader.leaf.abandon() ?? this.#behind)
  }

  /** The document is over. An unclosed CDATA section is scanned again, because only now is it known to be unclosed. */
  end(): void {
    if (this.#sections.foundUnclosed) this.scan(this.takeUnread(), ANYTHING, true)
    this.#tokenizer?.end()
  }

  onopentagname(start: number, end: number): void {
    this.#reader.startTag(start - 1, this.#source.slice(start, end))
  }

  onplaintagend(end: number): number {
    this.#reader.finishStartTag(end + 1)
    const { leaf } = this.#reader
    const behind = leaf.rule !== null && leaf.start === end + 1 ? finishWholeLeaf(leaf, this.#sections, this.#feed) : -1
    this.#behind = behind < 0 ? end + 1 : behind
    return this.#behind
  }

  onplainattribute(nameStart: number, nameEnd: number, start: number, end: number): void {
    if (this.#reader.leaf.rule) return
    const name = this.#source.slice(nameStart, nameEnd).toLowerCase()
    this.#reader.attribute(name, this.#source.slice(start, end))
  }

  onattribname(start: number, end: number): void {
    if (!this.#reader.leaf.rule) this.#attributeName = this.#source.slice(start, end).toLowerCase()
  }

  onattribdata(start: number, end: number): void {
    if (!this.#reader.leaf.rule) this.#reader.attribute(this.#attributeName, this.#source.slice(start, end))
  }

  onopentagend(end: number): void {
    this.#behind = end + 1
    this.#reader.finishStartTag(end + 1)
  }

  onselfclosingtag(end: number): void {
    this.#behind = end + 1
    this.#reader.finishEmptyTag(end + 1)
  }

  onclosetag(start: number, end: number): void {
    // Anything may stand between the name and the '>'.
    this.#behind = this.#source.indexOf('>', end) + 1
    // Spaces may stand between '</' and the name.
    this.#reader.endTag(this.#source.lastIndexOf('<', start - 1), this.#source.slice(start, end))
  }

  ontext(start: number, end: number): void {
    this.#behind = end
    this.#reader.text(start, end)
  }

  endOfSection(open: number): number {
    return this.#sections.endOf(open, this.#reader.innermostName)
  }

  oncdata(start: number, end: number, trailing: number): void {
    const isClosed = trailing > 0
    // Without `]]>` the next token begins where the section ends.
    this.#behind = isClosed ? end + 1 : end
    this.#reader.cdata(start, end - trailing, isClosed)
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
    this.#reader.end()
  }

  onattribend(): void {}
  onattribentity(): void {}
  ontextentity(): void {}

  #passNoise(end: number): void {
    this.#behind = end + 1
    this.#reader.noise()
  }
}
