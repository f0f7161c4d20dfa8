/**
 * Builds plain text from pieces: ranges of the source, decoded references, and breaks between blocks.
 *
 * There is never more than one space between two pieces, and none at the start. That removes nearly all the white space
 * of markup. White space inside a range is collapsed at the end, where there is usually nothing left to do.
 */
import { collapseMade, type Rare, withSingleSpaces } from '../text/collapse-space.ts'

/** Text beyond this length is flattened and set aside: a long string of many small pieces is slow to work with. */
const FLATTEN_CHARS = 16_384

export class FlowingText {
  readonly #source: string
  readonly #rare: Rare
  readonly #flattened: string[] = []
  #out = ''
  #endsInSpace = true

  /** `rare`: the rare characters that may be in the source. */
  constructor(source: string, rare: Rare) {
    this.#source = source
    this.#rare = rare
  }

  addBreak(): void {
    if (this.#endsInSpace) return
    this.#out += ' '
    this.#endsInSpace = true
  }

  addRange(start: number, end: number): void {
    const from = this.#startBehindSpace(start, end)
    if (from === end) {
      this.addBreak()
      return
    }
    const last = this.#source.charCodeAt(end - 1)
    const to = isSpace(last) ? this.#endBeforeSpace(from, end) : end
    if (this.#out.length > FLATTEN_CHARS) this.#flatten()
    this.#out += this.#source.slice(from, to)
    this.#endsInSpace = false
    if (to < end) this.addBreak()
    else this.#endsInSpace = last === 0x20
  }

  /** Adds what a reference stands for. */
  addCharacters(text: string): void {
    const code = text.charCodeAt(0)
    if (isSpace(code) || code === 0xa0) this.addBreak()
    else if (code !== 0xad && code !== 0x200b) {
      this.#out += text
      this.#endsInSpace = false
    }
  }

  /** Where to copy a range from. A single plain space at its start is copied with it instead of being added. */
  #startBehindSpace(start: number, end: number): number {
    const source = this.#source
    if (!isSpace(source.charCodeAt(start))) return start
    let from = start + 1
    while (from < end && isSpace(source.charCodeAt(from))) from++
    if (from === start + 1 && from < end && !this.#endsInSpace && source.charCodeAt(start) === 0x20) return start
    this.addBreak()
    return from
  }

  #endBeforeSpace(from: number, end: number): number {
    const source = this.#source
    let to = end - 1
    while (isSpace(source.charCodeAt(to - 1))) to--
    return to === end - 1 && to > from && source.charCodeAt(to) === 0x20 ? end : to
  }

  #flatten(): void {
    this.#flattened.push(withSingleSpaces(this.#out, this.#out, this.#rare))
    this.#out = ''
  }

  text(limitChars: number): string {
    const made = this.#flattened.length > 0 ? this.#flattened.join('') + this.#out : this.#out
    return collapseMade(made, this.#source, limitChars, this.#rare)
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d)
}
