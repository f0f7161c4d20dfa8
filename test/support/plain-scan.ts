/**
 * Scans a feed with an unmodified htmlparser2 tokenizer and no shortcuts. No feed is read with it in production: it is
 * the reference that the fast scan is tested against.
 *
 * Two rules are not the tokenizer's own. A '<' before a digit is text. A CDATA section that somebody forgot to close
 * ends with the element around it; reading then starts anew at the end tag of that element.
 */
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import type { FeedDraft } from '../../src/sources/feed/draft/feed-draft.ts'
import { ElementReader } from '../../src/sources/feed/elements/element-reader.ts'
import { seenRare } from '../../src/sources/feed/elements/element-text.ts'
import type { XmlScan } from '../../src/sources/feed/elements/xml-scan.ts'
import { ANYTHING } from '../../src/sources/text/collapse-space.ts'

export const plainScan: XmlScan = {
  maxPartBytes: Number.POSITIVE_INFINITY,

  scan(parts, documentUrl, feed) {
    const text = Array.from(parts, (part) => part.text).join('')
    new PlainScanner(text, documentUrl, feed).scan()
  },
}

class PlainScanner implements TokenizerCallbacks {
  readonly #source: string
  readonly #reader: ElementReader
  #tokenizer = new Tokenizer({ xmlMode: true, decodeEntities: false }, this)
  /** Where the tokenizer's text begins in the source. */
  #offset = 0
  /** Where to start anew; null to go on. */
  #restartAt: number | null = null
  #attributeName = ''

  constructor(source: string, documentUrl: string, feed: FeedDraft) {
    this.#source = source
    this.#reader = new ElementReader(documentUrl, feed)
    this.#reader.begin(source, seenRare(ANYTHING))
  }

  scan(): void {
    // A letter instead of '<' keeps all positions, and the tokenizer takes it for text.
    const text = this.#source.replace(/<(?=[0-9])/g, 'x')
    for (let from: number | null = 0; from !== null; from = this.#restartAt) {
      this.#offset = from
      this.#restartAt = null
      this.#tokenizer = new Tokenizer({ xmlMode: true, decodeEntities: false }, this)
      this.#tokenizer.write(text.slice(from))
      this.#tokenizer.end()
    }
    this.#reader.end()
  }

  onopentagname(start: number, end: number): void {
    this.#reader.startTag(this.#offset + start - 1, this.#slice(start, end))
  }

  onattribname(start: number, end: number): void {
    this.#attributeName = this.#slice(start, end).toLowerCase()
  }

  onattribdata(start: number, end: number): void {
    this.#reader.attribute(this.#attributeName, this.#slice(start, end))
  }

  onopentagend(end: number): void {
    this.#reader.finishStartTag(this.#offset + end + 1)
  }

  onselfclosingtag(end: number): void {
    this.#reader.finishEmptyTag(this.#offset + end + 1)
  }

  onclosetag(start: number, end: number): void {
    // Spaces may stand between '</' and the name. The name itself may begin with '</' in a broken document.
    const tagStart = this.#source.lastIndexOf('</', this.#offset + start - '</'.length)
    this.#reader.endTag(tagStart, this.#slice(start, end))
  }

  ontext(start: number, end: number): void {
    this.#reader.text(this.#offset + start, this.#offset + end)
  }

  oncdata(start: number, end: number, trailing: number): void {
    const isClosed = trailing > 0
    const section = this.#slice(start, end - trailing)
    const length = lengthOfUnclosed(section, isClosed, this.#reader.innermostName)
    if (length !== null) {
      this.#restartAt = this.#offset + start + length
      this.#tokenizer.pause()
    }
    const sectionStart = this.#offset + start
    this.#reader.cdata(sectionStart, sectionStart + (length ?? section.length), isClosed && length === null)
  }

  oncomment(): void {
    this.#reader.noise()
  }

  ondeclaration(): void {
    this.#reader.noise()
  }

  onprocessinginstruction(): void {
    this.#reader.noise()
  }

  onend(): void {}
  onattribend(): void {}
  onattribentity(): void {}
  ontextentity(): void {}

  #slice(start: number, end: number): string {
    return this.#source.slice(this.#offset + start, this.#offset + end)
  }
}

/**
 * How much of a section belongs to it if its `]]>` was forgotten; null if the section is as the tokenizer found it. It
 * was forgotten if another section begins inside, or if nothing closes it, and the element ends before that.
 */
function lengthOfUnclosed(section: string, isClosed: boolean, element: string): number | null {
  const nextSection = section.indexOf('![CDATA[')
  if (isClosed && nextSection < 0) return null
  const own = nextSection < 0 ? section : section.slice(0, nextSection)
  const endTag = own.indexOf(`</${element}>`)
  return endTag < 0 ? null : endTag
}
