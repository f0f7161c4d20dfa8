/**
 * What an element marked `itemprop=author` says: the name marked inside of it, or, without such a mark, all of its text.
 * "Written by ..., staff reporter" is not what anybody is called. A name within a scope of its own is somebody else's:
 * the employer's, the city's. Told of every tag and text inside the element, not of the element itself.
 */

const MAX_NAME_CHARS = 1_000

export class MarkedAuthor {
  #depth = 0
  /** Where the marked name began, and where somebody else's scope did; 0: not inside of one. */
  #nameDepth = 0
  #othersDepth = 0
  #all = ''
  #name = ''

  open(properties: readonly string[], attributes: Record<string, string>): void {
    this.#depth++
    const isName = properties.includes('name') && this.#othersDepth === 0 && this.#nameDepth === 0 && this.#name === ''
    if (isName && attributes.content) this.#name = attributes.content
    else if (isName) this.#nameDepth = this.#depth
    if (attributes.itemscope !== undefined) this.#othersDepth ||= this.#depth
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
    if (this.#othersDepth === this.#depth) this.#othersDepth = 0
    this.#depth--
  }

  get said(): string {
    return this.#name.trim() || this.#all
  }
}
