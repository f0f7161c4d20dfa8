/** The attributes of one element by name, in lower case and with the prefix as written. The first of a name counts. */
import { decodeEntities } from '../../html/entities.ts'

export class Attributes {
  static readonly none = new Attributes([])
  readonly #pairs: readonly string[]

  /** `pairs`: names and values as written, alternating. */
  constructor(pairs: readonly string[]) {
    this.#pairs = pairs
  }

  /** The value, decoded and trimmed; null if it is missing or blank. */
  get(name: string): string | null {
    const pairs = this.#pairs
    let at = 0
    while (at < pairs.length && pairs[at] !== name) at += 2
    if (at === pairs.length) return null
    const value = decodeEntities(pairs[at + 1] ?? '', true).trim()
    return value === '' ? null : value
  }

  /** The first of these attributes that has a value. */
  firstOf(names: readonly string[]): string | null {
    if (this.#pairs.length === 0) return null
    for (let at = 0; at < names.length; at++) {
      const value = this.get(names[at] as string)
      if (value !== null) return value
    }
    return null
  }

  /** The first attribute with this name and any prefix. */
  local(name: string): string | null {
    for (let at = 0; at < this.#pairs.length; at += 2) {
      const written = this.#pairs[at] ?? ''
      const isIt = written.endsWith(name) && (written.length === name.length || written.at(-name.length - 1) === ':')
      const value = isIt ? this.get(written) : null
      if (value !== null) return value
    }
    return null
  }

  /** The value in lower case. */
  lower(name: string): string | null {
    return this.get(name)?.toLowerCase() ?? null
  }
}
