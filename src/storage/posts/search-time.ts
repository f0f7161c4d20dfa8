// How long a search goes on before it answers what it has found, with a cursor that goes on from there.
// See docs/decisions/0218-searches-answer-within-50-ms.md

export interface SearchBudget {
  readonly ms: number
  /** So many ids are searched even if that takes longer: few posts are searched to the end on a busy machine too. */
  readonly ids: number
  /** Not even for these ids does it go on any longer. */
  readonly mostMs: number
}

/** With these an answer takes less than 50 ms, however many posts there are. Words may be common and rarely together. */
export const USUAL_BUDGET: SearchBudget = { ms: 30, ids: 10_000, mostMs: 150 }
/** For a range that an earlier page has searched within the usual time. If it ended early, posts would be left out. */
export const AMPLE_BUDGET: SearchBudget = { ms: 1000, ids: 0, mostMs: 1000 }

/** Of one search, from its start. */
export class SearchTime {
  readonly #startedAt = performance.now()
  readonly #budget: SearchBudget

  constructor(budget: SearchBudget) {
    this.#budget = budget
  }

  /** After so many ids have been searched. */
  isOver(ids: number): boolean {
    return this.leftMs(ids) < 0
  }

  leftMs(ids: number): number {
    const { ms, ids: least, mostMs } = this.#budget
    return (ids < least ? mostMs : ms) - (performance.now() - this.#startedAt)
  }
}
