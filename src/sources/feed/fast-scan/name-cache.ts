/**
 * A small cache for the names of elements and attributes. A feed repeats the same few names in every entry, so each is
 * sliced once and then found by its first and last letter and its length. Callers get the same string object again,
 * whose hash the runtime has already computed for their own look-ups.
 */
const SLOTS = 64

export class NameCache {
  readonly #written: string[] = new Array(SLOTS).fill('')
  readonly #names: string[] = new Array(SLOTS).fill('')
  readonly #inLowerCase: boolean

  constructor(inLowerCase: boolean) {
    this.#inLowerCase = inLowerCase
  }

  at(source: string, start: number, end: number): string {
    const length = end - start
    const slot = (source.charCodeAt(start) * 7 + source.charCodeAt(end - 1) * 31 + length) & (SLOTS - 1)
    const known = this.#written[slot] ?? ''
    if (known.length === length && source.startsWith(known, start)) return this.#names[slot] ?? ''
    const written = source.slice(start, end)
    const name = this.#inLowerCase ? written.toLowerCase() : written
    this.#written[slot] = written
    this.#names[slot] = name
    return name
  }
}
