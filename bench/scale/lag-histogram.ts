// How late polls were, in classes that grow by a twentieth: a week of a million sources fits into a few hundred counters.
const GROWTH = Math.log(1.05)
const CLASSES = 500

export class LagHistogram {
  readonly #counts = new Float64Array(CLASSES)
  count = 0
  longestMs = 0

  /** All of them together. */
  static of(parts: readonly LagHistogram[]): LagHistogram {
    const sum = new LagHistogram()
    for (const part of parts) {
      for (const [place, count] of part.#counts.entries()) sum.#counts[place] = (sum.#counts[place] ?? 0) + count
      sum.count += part.count
      sum.longestMs = Math.max(sum.longestMs, part.longestMs)
    }
    return sum
  }

  add(ms: number): void {
    const place = ms <= 1 ? 0 : Math.min(CLASSES - 1, 1 + Math.floor(Math.log(ms) / GROWTH))
    this.#counts[place] = (this.#counts[place] ?? 0) + 1
    this.count++
    if (ms > this.longestMs) this.longestMs = ms
  }

  /** Within a twentieth. */
  quantile(share: number): number {
    let left = share * this.count
    for (let place = 0; place < CLASSES; place++) {
      left -= this.#counts[place] ?? 0
      if (left <= 0) return place === 0 ? 0 : Math.exp((place - 0.5) * GROWTH)
    }
    return this.longestMs
  }
}
