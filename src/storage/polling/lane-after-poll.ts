// Whether a lane has anything to do after a poll. The statement that records the poll tells, so that the lane need not look
// again. It sees the other sources of the lane as they were before the poll.
import type { Candidate } from '../../domain/post.ts'
import type { Source } from '../../domain/source.ts'
import type { PollEffects } from '../../ports/polling-store.ts'
import type { Param, Row } from '../database/db.ts'

const MORE = `, (EXISTS (SELECT 1 FROM sources s WHERE s.lane = ? AND s.enabled = 1 AND s.next_poll_at IS NOT NULL
    AND s.next_poll_at <= ? AND s.id <> ?)
  OR EXISTS (SELECT 1 FROM page_fetches f WHERE f.lane = ? AND f.due_at <= ?)) AS has_more`

/** A further column of the poll's record. */
export function moreInLane(lane: string, sourceId: string, at: number): { sql: string; params: readonly Param[] } {
  return { sql: MORE, params: [lane, at, sourceId, lane, at] }
}

/** `next`: the source that was polled, as it is now. */
export function hasNoMore({ has_more }: Row, { nextPollAt }: Source, at: number): boolean {
  return !has_more && (nextPollAt === null || nextPollAt > at)
}

/** Sources that are enabled again and pages behind new posts were not there when the lane was looked at. */
export function addsToLane({ recover }: PollEffects, posts: readonly Candidate[]): boolean {
  return Boolean(recover) || posts.some(({ wantedText }) => wantedText?.behind)
}
