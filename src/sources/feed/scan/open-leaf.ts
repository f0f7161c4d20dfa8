/**
 * The leaf that is being read: its rule, or null when none is open, and what was seen in it so far. Only its end is
 * looked for; elements of the same name inside it are counted, so that theirs is not taken for it.
 */

import type { FeedDraft } from '../draft/feed-draft.ts'
import { type Leaf, OUTSIDE, type Site } from '../vocabularies/vocabulary.ts'
import { Attributes } from './attributes.ts'
import type { Sections } from './cdata-sections.ts'
import { CDATA, ElementText, MARKUP, NOTHING, SECTION, SECTION_CLOSE, SECTION_OPEN, type Seen } from './element-text.ts'
import type { OpenTag } from './open-tag.ts'

export class OpenLeaf {
  /** What is being scanned; a leaf begins and ends in the same text. */
  source = ''
  /** Of the whole text, and so of each leaf in it. */
  seenInText: Seen = NOTHING
  readonly #sections: Sections
  rule: Leaf | null = null
  name = ''
  start = 0
  #tagStart = 0
  #attributes = Attributes.none
  #site = OUTSIDE
  #nested = 0
  #seen: Seen = NOTHING

  constructor(sections: Sections) {
    this.#sections = sections
  }

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

  /** It says so: whatever stands in it is its own. */
  get holdsXml(): boolean {
    const type = this.#attributes.lower('type')
    return type !== null && (type === 'xhtml' || type.includes('xml'))
  }

  /** Whether an end tag of its name is that of an element inside it; that one is closed then. */
  closeInside(): boolean {
    if (this.#nested === 0) return false
    this.#nested--
    return true
  }

  /**
   * Most leaves hold one text or one CDATA section and nothing else: such a one is read to its end. Returns where reading
   * goes on, or -1 where it holds something else and only its beginning is known.
   */
  finishAtOnce(feed: FeedDraft): number {
    const { source, start, name } = this
    const next = source.indexOf('<', start)
    const isSection = next === start && source.startsWith(SECTION_OPEN, start)
    const end = isSection ? this.#sections.endOf(start, name) : next
    if (end < 0) return -1
    const tag = isSection ? end + SECTION_CLOSE.length : end
    if (!isEndTag(source, tag, name)) return -1
    if (isSection) {
      this.#seen |= CDATA | SECTION
      this.start += SECTION_OPEN.length
    }
    this.finish(end, feed)
    return tag + name.length + 3
  }

  /** As if it had never been opened. Returns where its tag begins, or null if none is open. */
  abandon(): number | null {
    if (this.rule === null) return null
    this.rule = null
    return this.#tagStart
  }

  /** The document ends in it. Half of the tag that should have come, or of what closes a section, is no part of it. */
  finishCut(feed: FeedDraft): void {
    if (this.rule) this.finish(this.#endOfCut(), feed)
  }

  #endOfCut(): number {
    const { source, start, name } = this
    const tag = source.lastIndexOf('<')
    const isCutTag = tag >= start && [`</${name}`, SECTION_OPEN].some((whole) => isBeginning(source, tag, whole))
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

/** Whether a text ends with the beginning of what should have been there. */
function isBeginning(text: string, at: number, whole: string): boolean {
  return text.length - at <= whole.length && whole.startsWith(text.slice(at))
}

const LESS_THAN = 0x3c
const SLASH = 0x2f
const GREATER_THAN = 0x3e

/** Without a space in it. */
function isEndTag(source: string, at: number, name: string): boolean {
  if (source.charCodeAt(at) !== LESS_THAN || source.charCodeAt(at + 1) !== SLASH) return false
  return source.charCodeAt(at + 2 + name.length) === GREATER_THAN && source.startsWith(name, at + 2)
}
