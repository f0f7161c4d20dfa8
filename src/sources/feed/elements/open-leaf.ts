/**
 * The leaf that is being read and what was seen in it so far. `rule` is null when no leaf is open.
 *
 * Elements of the same name inside the leaf are counted, so that their end tags are not taken for the leaf's own.
 */
import type { FeedDraft } from '../draft/feed-draft.ts'
import { type Leaf, OUTSIDE, type Site } from '../vocabularies/vocabulary.ts'
import { Attributes } from './attributes.ts'
import { ElementText, MARKUP, NOTHING, SECTION_CLOSE, SECTION_OPEN, type Seen } from './element-text.ts'
import type { OpenTag } from './open-tag.ts'

export class OpenLeaf {
  /** The text that is being scanned. A leaf begins and ends in the same text. */
  source = ''
  /** What was seen in the whole text and may therefore be in each leaf. */
  seenInText: Seen = NOTHING
  rule: Leaf | null = null
  name = ''
  /** Where its content begins. */
  start = 0
  #tagStart = 0
  #attributes = Attributes.none
  #site = OUTSIDE
  #nested = 0
  #seen: Seen = NOTHING

  open(rule: Leaf, tag: OpenTag, attributes: Attributes, site: Site, start: number): void {
    this.rule = rule
    this.name = tag.written
    this.#tagStart = tag.start
    this.start = start
    this.#attributes = attributes
    this.#site = site
    this.#nested = 0
    this.#seen = this.seenInText
  }

  see(what: Seen): void {
    this.#seen |= what
  }

  openInside(name: string): void {
    this.#seen |= MARKUP
    if (name === this.name) this.#nested++
  }

  /** Whether its type says that it holds XML. Then every element in it is part of it. */
  get holdsXml(): boolean {
    const type = this.#attributes.lower('type')
    return type !== null && (type === 'xhtml' || type.includes('xml'))
  }

  /** Closes an element of the leaf's name inside it. False if there is none: the end tag is the leaf's own. */
  closeInside(): boolean {
    if (this.#nested === 0) return false
    this.#nested--
    return true
  }

  /** Forgets the leaf as if it had never been opened. Returns where its tag begins, or null if none is open. */
  abandon(): number | null {
    if (this.rule === null) return null
    this.rule = null
    return this.#tagStart
  }

  /** Finishes a leaf in which the document ends. Half an end tag, or half a `]]>`, does not belong to its text. */
  finishCut(feed: FeedDraft): void {
    if (this.rule) this.finish(this.#endOfCut(), feed)
  }

  #endOfCut(): number {
    const { source, start, name } = this
    const tag = source.lastIndexOf('<')
    const isCutTag = tag >= start && [`</${name}`, SECTION_OPEN].some((whole) => endsWithBeginning(source, tag, whole))
    if (isCutTag) return tag
    const section = source.lastIndexOf(SECTION_OPEN)
    const isOpen = section >= start && source.indexOf(SECTION_CLOSE, section) < 0
    return isOpen ? source.length - CUT_SECTION_CLOSE.filter((half) => source.endsWith(half)).length : source.length
  }

  finish(end: number, feed: FeedDraft): void {
    const rule = this.rule
    if (!rule) return
    this.rule = null
    const text = new ElementText(this.source, this.start, Math.max(this.start, end), this.#seen)
    rule.take(feed, text, this.#attributes, this.#site)
  }
}

const CUT_SECTION_CLOSE = [']', ']]']

/** Whether the text from this position to its end is a beginning of `whole`. */
function endsWithBeginning(text: string, at: number, whole: string): boolean {
  return text.length - at <= whole.length && whole.startsWith(text.slice(at))
}
