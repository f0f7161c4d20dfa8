/**
 * Where CDATA sections end, also those that somebody forgot to close.
 *
 * Without its `]]>` a section would go on to that of the next one and swallow what is between. It is taken to end with
 * the element it stands in when that one's end tag comes before the next section begins, and that before anything is
 * closed, or nothing ever is. What was found is remembered until it is passed, so that nothing is searched twice.
 */
import { SECTION_CLOSE, SECTION_OPEN } from './element-text.ts'

/** Rarer in HTML than the whole, so that it is found faster. */
const BEHIND_BRACKET = SECTION_OPEN.slice(1)

export class Sections {
  #source = ''
  #close = -1
  #open = -1
  /** Nothing comes behind the text, so that what is not closed in it never will be. */
  #isAll = false
  /** One was met that nothing closes in this text. */
  leftOpen = false

  begin(source: string, isAll: boolean): void {
    this.#source = source
    this.#close = -1
    this.#open = -1
    this.#isAll = isAll
    this.leftOpen = false
  }

  /** Of the section that begins at `open` in an element of this name: where its `]]>` is or should be; -1 unknown. */
  endOf(open: number, element: string): number {
    const inner = open + SECTION_OPEN.length
    if (this.#close < inner) this.#close = this.#find(SECTION_CLOSE, inner)
    if (this.#open < inner) this.#open = this.#find(BEHIND_BRACKET, inner)
    const close = this.#close
    if (close < this.#open) return close
    if (close === NOWHERE) this.leftOpen = true
    if (close === NOWHERE && !this.#isAll) return -1
    const tag = this.#source.slice(inner, Math.min(this.#open, this.#source.length)).indexOf(`</${element}>`)
    if (tag >= 0) return inner + tag
    return close === NOWHERE ? -1 : close
  }

  #find(mark: string, from: number): number {
    const found = this.#source.indexOf(mark, from)
    return found < 0 ? NOWHERE : found
  }
}

const NOWHERE = Number.POSITIVE_INFINITY
