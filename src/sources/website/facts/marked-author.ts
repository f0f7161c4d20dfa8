/**
 * Reads the name from an element with `itemprop=author`: the text marked `itemprop=name` inside it, or else all its text.
 * The mark matters because the whole text may be "Written by ..., staff reporter".
 * A name inside a nested `itemscope` belongs to somebody else, such as the employer, and is ignored.
 * The caller reports every tag and text inside the element, but not the element itself.
 */

const MAX_NAME_CHARS = 1_000

export class MarkedAuthor {
  #depth = 0
  /** The depths at which the marked name and the nested scope started. 0 means: not inside one. */
  #nameDepth = 0
  #nestedScopeDepth = 0
  #all = ''
  #name = ''

  open(properties: readonly string[], attributes: Record<string, string>): void {
    this.#depth++
    const isName =
      properties.includes('name') && this.#nestedScopeDepth === 0 && this.#nameDepth === 0 && this.#name === ''
    if (isName && attributes.content) this.#name = attributes.content
    else if (isName) this.#nameDepth = this.#depth
    if (attributes.itemscope !== undefined) this.#nestedScopeDepth ||= this.#depth
  }

  text(text: string): void {
    if (this.#all.length < MAX_NAME_CHARS) this.#all += text
    if (this.#nameDepth > 0 && this.#name.length < MAX_NAME_CHARS) this.#name += text
  }

  close(): void {
    if (this.#nameDepth === this.#depth) {
      this.#name = this.#name.trim()
      this.#nameDepth = 0
    }
    if (this.#nestedScopeDepth === this.#depth) this.#nestedScopeDepth = 0
    this.#depth--
  }

  get name(): string {
    return this.#name.trim() || this.#all
  }
}
