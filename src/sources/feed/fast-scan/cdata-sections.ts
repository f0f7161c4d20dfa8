/**
 * Finds where CDATA sections end, including those that somebody forgot to close.
 *
 * An unclosed section would run on to the `]]>` of the next section and swallow everything between. So it is taken to
 * end with the element around it if the end tag of that element comes first: before the next section begins, or
 * anywhere if nothing closes the section at all. Found positions are kept until they are passed, so that no text is
 * searched twice.
 */
import { SECTION_CLOSE, SECTION_OPEN } from '../elements/element-text.ts'

/** The opening mark without its '<', which is so frequent in HTML that it slows the search down. */
const OPEN_BEHIND_BRACKET = SECTION_OPEN.slice(1)
const NOWHERE = Number.POSITIVE_INFINITY

export class CdataSections {
  #source = ''
  #nextClose = -1
  #nextOpen = -1
  #isLastPart = false
  /** A section was found that nothing in this text closes. */
  foundUnclosed = false

  /** `isLastPart`: the document ends with this text, so an unclosed section stays unclosed. */
  begin(source: string, isLastPart: boolean): void {
    this.#source = source
    this.#nextClose = -1
    this.#nextOpen = -1
    this.#isLastPart = isLastPart
    this.foundUnclosed = false
  }

  /** Where the section that opens at `open`, in an element of this name, has or should have its `]]>`; -1 if unknown. */
  endOf(open: number, element: string): number {
    const inner = open + SECTION_OPEN.length
    if (this.#nextClose < inner) this.#nextClose = this.#find(SECTION_CLOSE, inner)
    if (this.#nextOpen < inner) this.#nextOpen = this.#find(OPEN_BEHIND_BRACKET, inner)
    const close = this.#nextClose
    if (close < this.#nextOpen) return close
    if (close === NOWHERE) this.foundUnclosed = true
    if (close === NOWHERE && !this.#isLastPart) return -1
    const tag = this.#source.slice(inner, Math.min(this.#nextOpen, this.#source.length)).indexOf(`</${element}>`)
    if (tag >= 0) return inner + tag
    return close === NOWHERE ? -1 : close
  }

  #find(mark: string, from: number): number {
    const found = this.#source.indexOf(mark, from)
    return found < 0 ? NOWHERE : found
  }
}
