// What is known of a source that was polled before its rhythm was kept: from its posts, from what is left of those that
// were cleaned up, and from its polls. Read once for each such source, with its next poll, so that an upgrade costs no
// tick more than its polls. A source that got another URL has a rhythm, an empty one: its old posts say nothing about it.
// See docs/decisions/0154-rhythm-of-older-sources-from-what-is-stored.md
import type { PublishingHistory } from '../../domain/rhythm.ts'
import { DAY_MS } from '../../domain/schedule.ts'
import type { Source } from '../../domain/source.ts'
import type { Db, Param } from '../database/db.ts'

/** Rhythms keep no more than the last 20 gaps. Bursts have many dates for one gap. */
const MOST_DATES = 200
const ISO_DATE = /^\d{4}-\d\d-\d\dT/

export async function historyOf(tx: Db, source: Source): Promise<PublishingHistory | null> {
  const { id, rhythm, lastSucceededAt, lastSeenId } = source
  if (rhythm !== null || lastSucceededAt === null) return null
  const instants = async (sql: string, params: readonly Param[]): Promise<number[]> =>
    (await tx.all(sql, params)).map((row) => Number(row.at))
  const posts = await instants(
    `SELECT coalesce(published_at, created_at) AS at FROM posts WHERE source_id = ? ORDER BY created_at DESC LIMIT ?`,
    [id, MOST_DATES],
  )
  const cleanedUp = await instants(
    `SELECT published_at AS at FROM tombstones WHERE source_id = ? AND published_at IS NOT NULL
     ORDER BY published_at DESC LIMIT ?`,
    [id, MOST_DATES],
  )
  const polls = await tx.all(
    `SELECT started_at AS at, created FROM polls WHERE source_id = ? AND outcome = 'success'`,
    [id],
  )
  const days = await tx.all(
    `SELECT day, created FROM poll_days WHERE source_id = ? AND polls > transient + permanent
     ORDER BY day DESC LIMIT ?`,
    [id, MOST_DATES],
  )
  const seen = [...polls, ...days.map((row) => ({ at: Number(row.day) * DAY_MS, created: row.created }))]
  return {
    firstSucceededAt: Math.min(lastSucceededAt, ...seen.map((row) => Number(row.at))),
    stored: Math.max(
      source.postCount,
      seen.reduce((sum, row) => sum + Number(row.created), 0),
    ),
    published: [...posts, ...cleanedUp, ...(ISO_DATE.test(lastSeenId ?? '') ? [Date.parse(lastSeenId ?? '')] : [])],
    foundAt: seen.filter((row) => Number(row.created) > 0).map((row) => Number(row.at)),
  }
}
