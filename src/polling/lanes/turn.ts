// A turn in a lane, and those who may have one: a job at the head, or scheduled work.
import type { FreeVisitors, Visitor } from '../../domain/owner-spacing.ts'
import type { HostSighting } from '../../ports/coordinator.ts'
import type { LaneSeen } from '../../ports/polling-store.ts'

export class Turn {
  readonly lane: string
  readonly left: Promise<void>
  /** The lane did not wait for its host before this turn: no request may go out in it. */
  readonly needsNoRequest: boolean
  /** Given back when the request is over; a second call does nothing. */
  releaseSlot: () => void
  /** Spacing that could not be written, because the store failed. The lane keeps it. */
  unwrittenNotBefore: number | null = null
  /** Whoever had the turn knows that nothing scheduled is left in the lane. */
  isLaneEmpty = false
  #leave: () => void = () => {}

  /** How the lane found its host before it looked for work; null: it did not look. */
  readonly sighting: HostSighting | null

  constructor(lane: string, releaseSlot: (() => void) | null, sighting: HostSighting | null = null) {
    this.lane = lane
    this.sighting = sighting
    this.needsNoRequest = releaseSlot === null
    this.releaseSlot = releaseSlot ?? (() => {})
    this.left = new Promise((resolve) => {
      this.#leave = resolve
    })
  }

  leave(): void {
    this.releaseSlot()
    this.#leave()
  }
}

/** What is done in a turn. */
export type WorkOfTurn = (turn: Turn) => Promise<void>

/** Work at the head of a lane. */
export interface HeadJob {
  readonly visitor: Visitor
  /** It runs even in a closed lane, and without waiting for spacing. */
  readonly needsNoRequest?: boolean
  run(turn: Turn): Promise<void>
  /** The lane failed while it waited: its turn will not come. */
  fail(error: unknown): void
}

/**
 * Scheduled work, taken when the lane's turn comes; null: there is none that may be done now. `seen`: how the lane was
 * found just now; null: that is too long ago.
 */
export type TakeScheduled = (lane: string, free: FreeVisitors, seen: LaneSeen | null) => Promise<WorkOfTurn | null>
