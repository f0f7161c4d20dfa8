// Hands out lanes with due work to the processes that share a store. A lane is given to one process at a time; if that one
// is not heard of for too long, to another. What keeps two processes apart at a host is its row, not this queue: a process
// that was suspended may go on with a lane that it has lost.
import type { AskedTrigger, PollRecord } from '../domain/outcome.ts'
import type { ProblemCode } from '../domain/problem.ts'
import type { PollRequest } from './coordinator.ts'

export interface LaneQueue {
  /** Offers lanes with due work that nobody has yet. Returns how many; 0 also when another process did it just now. */
  offerDue(now: number, options: OfferOptions): Promise<number>
  /** A person waits for something in this lane: it goes before all others. If a process has it, nothing changes. */
  offerUrgent(lane: string): Promise<void>
  /** At most so many lanes: urgent ones first, then those that wait longest. They stay with this process until it gives them back. */
  take(most: number, which?: 'all' | 'urgent'): Promise<readonly TakenLane[]>
  giveBack(lanes: readonly string[]): Promise<void>
  readonly askedPolls: AskedPollQueue
  close(): Promise<void>
}

export interface TakenLane {
  readonly lane: string
  readonly isUrgent: boolean
}

export interface OfferOptions {
  /** Not again if any process did so within this time. */
  readonly everyMs: number
  /** False: hosts are offered whatever their breaker says. */
  readonly skipOpenBreakers: boolean
}

/** A poll that somebody asked for, in whichever process. */
export interface AskedPoll {
  readonly lane: string
  readonly trigger: AskedTrigger
  readonly request: PollRequest
}

export type PollAnswer =
  | { readonly kind: 'record'; readonly record: PollRecord }
  /** `until`: when the host can be asked again, if that is the problem. */
  | { readonly kind: 'problem'; readonly code: ProblemCode; readonly detail: string; readonly until: number | null }

/** Polls that were asked for wait here, first in, first out, for the process that has their lane. */
export interface AskedPollQueue {
  /** Resolves with the name under which it is answered: that of an earlier one if the source waits already. */
  ask(poll: AskedPoll): Promise<string>
  /** At most so many that wait in these lanes, oldest first. They wait until they are answered. */
  waitingIn(lanes: readonly string[], most: number): Promise<readonly (AskedPoll & { readonly id: string })[]>
  /** If it was answered before, that answer stays. */
  answer(id: string, answer: PollAnswer): Promise<void>
  /** What became of these; those that still wait are left out. 'gone': withdrawn, or answered long ago. */
  answersTo(ids: readonly string[]): Promise<ReadonlyMap<string, PollAnswer | 'gone'>>
  withdraw(id: string): Promise<void>
}
