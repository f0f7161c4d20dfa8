// Hands out lanes with due work to the processes that share a store. A lane is given to one process at a time; if that one
// is not heard of for too long, to another. What keeps two processes apart at a host is its row, not this queue: a process
// that was suspended may go on with a lane that it has lost.
export interface LaneQueue {
  /** Offers lanes with due work that nobody has yet. Returns how many; 0 also when another process did it just now. */
  offerDue(now: number, options: OfferOptions): Promise<number>
  /** At most so many lanes, those that wait longest first. They stay with this process until it gives them back. */
  take(most: number): Promise<readonly string[]>
  giveBack(lanes: readonly string[]): Promise<void>
  close(): Promise<void>
}

export interface OfferOptions {
  /** Not again if any process did so within this time. */
  readonly everyMs: number
  /** False: hosts are offered whatever their breaker says. */
  readonly skipOpenBreakers: boolean
}
