/**
 * The names of elements and attributes as a document writes them. The same few come again with every entry, so each is
 * cut out once and then found by where its letters put it: later users get the very same text, whose place in their
 * tables is known already.
 */
const PLACES = 64

export class WrittenNames {
  readonly #written: string[] = new Array(PLACES).fill('')
  readonly #names: string[] = new Array(PLACES).fill('')
  readonly #inLowerCase: boolean

  constructor(inLowerCase: boolean) {
    this.#inLowerCase = inLowerCase
  }

  at(source: string, start: number, end: number): string {
    const length = end - start
    const place = (source.charCodeAt(start) * 7 + source.charCodeAt(end - 1) * 31 + length) & (PLACES - 1)
    const known = this.#written[place] ?? ''
    if (known.length === length && source.startsWith(known, start)) return this.#names[place] ?? ''
    const written = source.slice(start, end)
    const name = this.#inLowerCase ? written.toLowerCase() : written
    this.#written[place] = written
    this.#names[place] = name
    return name
  }
}

/** Whether this range of the source is the name. */
export function isNamed(source: string, start: number, end: number, name: string): boolean {
  if (end - start !== name.length) return false
  return source.startsWith(name, start) || sameName(source.slice(start, end), name)
}

/** Some close <Title> with </title>. */
export function sameName(one: string, other: string): boolean {
  if (one === other) return true
  return one.length === other.length && one.toLowerCase() === other.toLowerCase()
}
