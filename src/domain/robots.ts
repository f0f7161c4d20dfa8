// When robots.txt of a host is asked, and what its answer means (RFC 9309). Pure.
// RFC 9309 knows rules for each scheme and port. Here one answer counts for the whole host, whichever of its pages was
// behind the first post: a host is asked for robots.txt at most once a day.
import { DAY_MS, HOUR_MS } from './schedule.ts'

/** The name by which robots.txt addresses this program. */
export const PRODUCT_TOKEN = 'Tidings'
export const MAX_CRAWL_DELAY_SECONDS = 60
export const MAX_ROBOTS_BYTES = 512_000

export interface RobotsAnswer {
  readonly host: string
  readonly askedAt: number
  /** 'rules': there are rules in `text`. 'none': everything is allowed. 'unavailable': nothing is, for now. */
  readonly kind: 'rules' | 'none' | 'unavailable'
  readonly text: string | null
}

/** 'ask': nothing recent is known. A number: the host gave no answer, and is asked again then. */
export function knownRobots(answer: RobotsAnswer | null, now: number): RobotsAnswer | 'ask' | number {
  if (answer === null || answer.askedAt > now) return 'ask'
  if (answer.kind === 'unavailable') {
    const again = answer.askedAt + HOUR_MS
    return again > now ? again : 'ask'
  }
  return now - answer.askedAt < DAY_MS ? answer : 'ask'
}

/** `status` null: there was no answer at all. A 4xx allows everything; a 429 also closes the lane, like any 429. */
export function robotsKind(status: number | null): RobotsAnswer['kind'] {
  if (status === null || status >= 500) return 'unavailable'
  return status >= 200 && status < 300 ? 'rules' : 'none'
}
