// Functions that want to be called when something happened.

export class Listeners<Told extends unknown[]> {
  readonly #listeners = new Set<(...told: Told) => void>()

  get isEmpty(): boolean {
    return this.#listeners.size === 0
  }

  /** Returns the function that removes the listener again. */
  add(listener: (...told: Told) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  tell(...told: Told): void {
    for (const listener of [...this.#listeners]) listener(...told)
  }
}
