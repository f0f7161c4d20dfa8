// What one lane is about right now.
import type { HeadJob, WorkOfTurn } from './turn.ts'

export interface Lane {
  readonly key: string
  readonly heads: HeadJob[]
  running: boolean
  /** It was woken while it ran, and may have looked for work before that. */
  wokenAgain: boolean
  /** It waits for a closed lane to open. A drain does not wait for that. */
  waitingForOpening: boolean
  /** It waits for its spacing. */
  waitingForSpacing: boolean
  /** Ends the present wait, or the next one if the store is being read, so that a new job at the head is noticed. */
  interrupt: AbortController
  atWork: boolean
}

export function newLane(key: string): Lane {
  return {
    key,
    heads: [],
    running: false,
    wokenAgain: false,
    waitingForOpening: false,
    waitingForSpacing: false,
    interrupt: new AbortController(),
    atWork: false,
  }
}

/** null: there is no such job, or it was withdrawn meanwhile. */
export function headRun(lane: Lane, job: HeadJob | null): WorkOfTurn | null {
  const index = job ? lane.heads.indexOf(job) : -1
  if (!job || index < 0) return null
  lane.heads.splice(index, 1)
  return (turn) => job.run(turn)
}
