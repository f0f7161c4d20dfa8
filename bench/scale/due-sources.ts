// The sources of each host in the order of their plans, as the index of the store has them: a heap for each host, all of
// them in one array. A source without a plan (disabled) is planned for never.
export const NEVER = Number.POSITIVE_INFINITY

export class DueSources {
  /** By source. */
  readonly nextPollAt: Float64Array
  readonly #heaps: Int32Array
  /** Where the heap of a host begins; one more at the end. */
  readonly #from: Uint32Array

  /** Sources of a host have numbers in a row, from `from[host]` on. */
  constructor(from: Uint32Array) {
    this.#from = from
    const sources = from.at(-1) ?? 0
    this.nextPollAt = new Float64Array(sources).fill(NEVER)
    this.#heaps = Int32Array.from({ length: sources }, (_, source) => source)
  }

  sourcesOf(host: number): number {
    return this.#end(host) - this.#start(host)
  }

  /** All sources of a host. */
  *each(host: number): Generator<number> {
    for (let source = this.#start(host); source < this.#end(host); source++) yield source
  }

  first(host: number): number {
    return this.#heaps[this.#start(host)] as number
  }

  firstAt(host: number): number {
    return this.#planOf(this.first(host))
  }

  planFirst(host: number, at: number): void {
    this.nextPollAt[this.first(host)] = at
    this.#sink(host, 0)
  }

  /** After plans were written by themselves. */
  sort(host: number): void {
    for (let place = (this.sourcesOf(host) >> 1) - 1; place >= 0; place--) this.#sink(host, place)
  }

  #start(host: number): number {
    return this.#from[host] as number
  }

  #end(host: number): number {
    return this.#from[host + 1] as number
  }

  #planOf(source: number): number {
    return this.nextPollAt[source] as number
  }

  #sink(host: number, from: number): void {
    const [start, size, heaps] = [this.#start(host), this.sourcesOf(host), this.#heaps]
    const source = heaps[start + from] as number
    const at = this.#planOf(source)
    let place = from
    for (;;) {
      let child = 2 * place + 1
      if (child >= size) break
      const right = heaps[start + child + 1] as number
      if (child + 1 < size && this.#planOf(right) < this.#planOf(heaps[start + child] as number)) child++
      const other = heaps[start + child] as number
      if (this.#planOf(other) >= at) break
      heaps[start + place] = other
      place = child
    }
    heaps[start + place] = source
  }
}
