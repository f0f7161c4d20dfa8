/**
 * Plain text as it grows out of pieces: whole stretches of a document, decoded references, breaks between blocks.
 *
 * Where pieces meet there is never more than one space, and none at the start. That is nearly all the white space
 * that markup brings with it, so what is inside a stretch is left for the end, where mostly nothing is to be done.
 */
import { collapseVisible, hasInvisible, withoutInvisible } from './collapse-space.ts'

export class FlowingText {
  readonly #source: string
  #out = ''
  #endsInSpace = true

  constructor(source: string) {
    this.#source = source
  }

  addBreak(): void {
    if (this.#endsInSpace) return
    this.#out += ' '
    this.#endsInSpace = true
  }

  addStretch(start: number, end: number): void {
    const source = this.#source
    let from = start
    if (isSpace(source.charCodeAt(from))) {
      while (from < end && isSpace(source.charCodeAt(from))) from++
      // One plain space need not be made, only left.
      if (from === start + 1 && !this.#endsInSpace && source.charCodeAt(start) === 0x20) from = start
      else this.addBreak()
      if (from === end) return
    }
    let to = end
    while (to > from && isSpace(source.charCodeAt(to - 1))) to--
    if (to === from) {
      this.addBreak()
      return
    }
    this.#endsInSpace = false
    if (to === end) this.#out += source.slice(from, to)
    else if (to === end - 1 && source.charCodeAt(to) === 0x20) {
      this.#out += source.slice(from, end)
      this.#endsInSpace = true
    } else {
      this.#out += source.slice(from, to)
      this.addBreak()
    }
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

  text(limitChars: number): string {
    // They are looked for in the source, since one in plain ASCII is searched much faster than what became of it.
    const text = hasInvisible(this.#source) ? withoutInvisible(this.#out) : this.#out
    return collapseVisible(text, limitChars)
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d)
}
