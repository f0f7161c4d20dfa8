/**
 * Plain text as it grows out of pieces: whole stretches of a document, decoded references, breaks between blocks.
 *
 * Where pieces meet there is never more than one space, and none at the start. That is nearly all the white space
 * that markup brings with it, so what is inside a stretch is left for the end, where mostly nothing is to be done.
 */
import { collapseMade, type Rare, withSingleSpaces } from '../text/collapse-space.ts'

/** A text of many small pieces costs more, the longer all of them are kept: what has grown so long is put aside as one. */
const SETTLING_CHARS = 16_384

export class FlowingText {
  readonly #source: string
  readonly #rare: Rare
  readonly #settled: string[] = []
  #out = ''
  #endsInSpace = true

  /** `rare`: what may be in the source, as it stands. */
  constructor(source: string, rare: Rare) {
    this.#source = source
    this.#rare = rare
  }

  addBreak(): void {
    if (this.#endsInSpace) return
    this.#out += ' '
    this.#endsInSpace = true
  }

  addStretch(start: number, end: number): void {
    const from = this.#behindSpace(start, end)
    if (from === end) {
      this.addBreak()
      return
    }
    const last = this.#source.charCodeAt(end - 1)
    const to = isSpace(last) ? this.#beforeSpace(from, end) : end
    if (this.#out.length > SETTLING_CHARS) this.#settle()
    this.#out += this.#source.slice(from, to)
    this.#endsInSpace = false
    if (to < end) this.addBreak()
    else this.#endsInSpace = last === 0x20
  }

  /** What a reference stands for. */
  addCharacters(text: string): void {
    const code = text.charCodeAt(0)
    if (isSpace(code) || code === 0xa0) this.addBreak()
    else if (code !== 0xad && code !== 0x200b) {
      this.#out += text
      this.#endsInSpace = false
    }
  }

  /** Where a stretch is to be copied from; one plain space before it need not be made, only left. */
  #behindSpace(start: number, end: number): number {
    const source = this.#source
    if (!isSpace(source.charCodeAt(start))) return start
    let from = start + 1
    while (from < end && isSpace(source.charCodeAt(from))) from++
    if (from === start + 1 && from < end && !this.#endsInSpace && source.charCodeAt(start) === 0x20) return start
    this.addBreak()
    return from
  }

  #beforeSpace(from: number, end: number): number {
    const source = this.#source
    let to = end - 1
    while (isSpace(source.charCodeAt(to - 1))) to--
    return to === end - 1 && to > from && source.charCodeAt(to) === 0x20 ? end : to
  }

  #settle(): void {
    this.#settled.push(withSingleSpaces(this.#out, this.#out, this.#rare))
    this.#out = ''
  }

  text(limitChars: number): string {
    const made = this.#settled.length > 0 ? this.#settled.join('') + this.#out : this.#out
    return collapseMade(made, this.#source, limitChars, this.#rare)
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d)
}
