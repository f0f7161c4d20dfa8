// Listeners that ask the store the same question at the same time share one read, and its rows. A thousand of them wake
// together after each commit, so it would otherwise be asked a thousand times, and each would hold rows of its own.

export class SharedReads<T> {
  readonly #underWay = new Map<string, Promise<T>>()

  ask(question: string, read: () => Promise<T>): Promise<T> {
    const known = this.#underWay.get(question)
    if (known) return known
    const answer = read()
    this.#underWay.set(question, answer)
    const over = (): void => {
      if (this.#underWay.get(question) === answer) this.#underWay.delete(question)
    }
    answer.then(over, over)
    return answer
  }

  /** What was just committed may not be in reads that are under way: whoever asks from now on reads anew. */
  startAnew(): void {
    this.#underWay.clear()
  }
}
