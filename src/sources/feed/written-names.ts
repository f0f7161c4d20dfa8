/**
 * The names of elements and attributes as a document writes them. The same few come again with every entry, so each is
 * cut out once and then found by where its letters put it: later users get the very same text, whose place in their
 * tables is known already.
 */
const PLACES = 64

export class WrittenNames {
  readonly #names: string[] = new Array(PLACES).fill('')
  readonly #lower: string[] = new Array(PLACES).fill('')

  at(source: string, start: number, end: number): string {
    return this.#names[this.#placeOf(source, start, end)] ?? ''
  }

  /** In lower case. */
  lowerAt(source: string, start: number, end: number): string {
    return this.#lower[this.#placeOf(source, start, end)] ?? ''
  }

  /** Where the name is, once it was met. */
  #placeOf(source: string, start: number, end: number): number {
    const length = end - start
    const place = (source.charCodeAt(start) * 7 + source.charCodeAt(end - 1) * 31 + length) & (PLACES - 1)
    const known = this.#names[place] ?? ''
    if (known.length === length && source.startsWith(known, start)) return place
    const name = source.slice(start, end)
    this.#names[place] = name
    this.#lower[place] = name.toLowerCase()
    return place
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
