// When each host is looked at next: one instant per host, in virtual milliseconds. Instants are kept in slots of a second,
// so that putting one in costs the same with a million hosts; only the present second is kept in order.
const SLOT_MS = 1000
/** Longer than any plan reaches ahead: a day of backing off, a day of waiting for a probe. */
const SLOTS = 3 * 86_400
const NOBODY = -1

export class EventWheel {
  readonly #at: Float64Array
  readonly #next: Int32Array
  readonly #first = new Int32Array(SLOTS).fill(NOBODY)
  /** The hosts of the present second, as a heap by instant. */
  readonly #present: number[] = []
  #second = 0

  constructor(hosts: number) {
    this.#at = new Float64Array(hosts)
    this.#next = new Int32Array(hosts)
  }

  /** A host has one instant at a time: it was taken before it is put in again. Infinity: it is not looked at any more. */
  put(host: number, at: number): void {
    if (at === Number.POSITIVE_INFINITY) return
    const second = Math.max(this.#second, Math.floor(at / SLOT_MS))
    this.#at[host] = at
    if (second >= this.#second + SLOTS) throw new Error(`an instant ${at} ms lies too far ahead`)
    if (second === this.#second) this.#intoPresent(host)
    else this.#intoSlot(host, second)
  }

  #intoSlot(host: number, second: number): void {
    const slot = second % SLOTS
    this.#next[host] = this.#first[slot] ?? NOBODY
    this.#first[slot] = host
  }

  /** The next host, or null if there is none before `until`. */
  take(until: number): { host: number; at: number } | null {
    while (this.#present.length === 0) {
      if ((this.#second + 1) * SLOT_MS > until) return null
      this.#second++
      const slot = this.#second % SLOTS
      for (let host = this.#first[slot] ?? NOBODY; host !== NOBODY; host = this.#next[host] ?? NOBODY) {
        this.#intoPresent(host)
      }
      this.#first[slot] = NOBODY
    }
    const host = this.#present[0] as number
    const at = this.#atOf(host)
    if (at >= until) return null
    const last = this.#present.pop() as number
    if (this.#present.length > 0) this.#sink(last)
    return { host, at }
  }

  /** Forgets all instants. */
  clear(): void {
    this.#first.fill(NOBODY)
    this.#present.length = 0
  }

  #atOf(host: number): number {
    return this.#at[host] as number
  }

  #intoPresent(host: number): void {
    const heap = this.#present
    let place = heap.push(host) - 1
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (this.#atOf(heap[parent] as number) <= this.#atOf(host)) break
      heap[place] = heap[parent] as number
      place = parent
    }
    heap[place] = host
  }

  #sink(host: number): void {
    const heap = this.#present
    let place = 0
    for (;;) {
      let child = 2 * place + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && this.#atOf(heap[child + 1] as number) < this.#atOf(heap[child] as number)) child++
      if (this.#atOf(heap[child] as number) >= this.#atOf(host)) break
      heap[place] = heap[child] as number
      place = child
    }
    heap[place] = host
  }
}
