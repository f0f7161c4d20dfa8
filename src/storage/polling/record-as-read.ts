// A poll in one statement, where each is a round trip. The rules decide by the rows as they were read when the poll began;
// the statement locks these rows and writes nothing if one of them is another by now. Every poll that stores posts writes
// the source's row, so as long as that is the same, what was new when the poll looked is new still; the unique constraint
// stands behind it. Otherwise, and where the rules need to know more, null is returned and the poll is recorded in a
// transaction (record-poll.ts). The same statement tells whether the lane has anything else to do (lane-after-poll.ts).
// See docs/decisions/0159-poll-that-found-nothing-is-three-statements.md and
// docs/decisions/0208-poll-with-new-posts-is-one-statement.md
import type { NewEvent } from '../../domain/event.ts'
import type { HostState } from '../../domain/host.ts'
import type { Source } from '../../domain/source.ts'
import type { PollEffects, PollWrite, PollWritten } from '../../ports/polling-store.ts'
import type { Database, Db } from '../database/db.ts'
import { type LaterWrites, writingLater } from '../database/later-writes.ts'
import { rowVersionOf } from '../database/row-versions.ts'
import { addNewEvents, FIRST_NEW_EVENT, withLastPost } from '../events/events.ts'
import { HAS_OTHER_POLL_LISTENERS, type PollListeners } from '../events/poll-listeners.ts'
import { updateHost } from '../hosts/hosts.ts'
import { addVisit } from '../hosts/lane-hours.ts'
import { updateSource } from '../sources/source-row.ts'
import { ageTombstones } from './age-tombstones.ts'
import { addNewPosts, LAST_NEW_POST } from './insert-posts-at-once.ts'
import { addsToLane, hasNoMore, moreInLane } from './lane-after-poll.ts'
import type { PackedCandidate } from './new-posts.ts'
import { addToPollHours } from './poll-totals.ts'
import { insertPoll } from './polls.ts'

const AS_READ = `SELECT 1 FROM sources s JOIN hosts h ON h.lane = ?
  WHERE s.id = ? AND CAST(s.xmin AS TEXT) = ? AND CAST(h.xmin AS TEXT) = ?`
const LOCKED = 'FOR NO KEY UPDATE OF s, h'
const UNHEARD = `AND NOT ${HAS_OTHER_POLL_LISTENERS}`

export async function recordAsRead(
  db: Database,
  write: PollWrite,
  posts: readonly PackedCandidate[],
  listeners: Pick<PollListeners, 'areHere'>,
): Promise<PollWritten | null> {
  const rows = rowsAsRead(db, write)
  if (!rows) return null
  const { source, host } = rows
  const found = { created: posts.length, lostToDuplicates: write.posts.length - posts.length, moveTaken: false }
  const effects = write.decide({ source, host, ...found, dependants: null, storm: null, history: null })
  if (effects.recover) return null
  const isUntold = posts.length === 0 && foundNothing(effects.record, effects.events) && !listeners.areHere
  const condition = `${AS_READ} ${isUntold ? UNHEARD : ''} ${LOCKED}`
  const later = writingLater(db, { sql: condition, params: [host.lane, source.id, ...rows.versions] })
  if (write.carried) await ageTombstones(db, later, source.id, write.carried, write.at)
  const events = isUntold ? [] : effects.events
  const written = await writeAll(db, later, { write, lane: host.lane, source, posts, effects, events })
  if (!written) return null
  const { row, poll, next } = written
  const lastPostId = posts.length > 0 ? String(row.last_post_id) : null
  const told = effects.events.map((event) => withLastPost(event, lastPostId))
  db.announceEvents(told, { firstId: events.length > 0 ? Number(row.first_event_id) : null })
  const isLaneEmpty = !addsToLane(effects, posts) && hasNoMore(row, next, write.at)
  return { kind: 'recorded', record: poll, source: next, isLaneEmpty }
}

interface Written {
  readonly write: PollWrite
  readonly lane: string
  readonly source: Source
  readonly posts: readonly PackedCandidate[]
  readonly effects: PollEffects
  /** Those that become rows. */
  readonly events: readonly NewEvent[]
}

/** null: a row was not as it was read, or a post was stored meanwhile. */
async function writeAll(db: Db, later: LaterWrites, { write, lane, source, posts, effects, events }: Written) {
  const hasPosts = posts.length > 0
  const set = hasPosts ? { ...effects.source, postCount: source.postCount + posts.length } : effects.source
  const next = await updateSource(later, source, set)
  await writeLane(later, lane, write.leasedBy ?? null, effects)
  await addToPollHours(later, source, effects.record)
  if (hasPosts) await addNewPosts(later, source, posts, write.at)
  if (events.length > 0) await addNewEvents(later, events, hasPosts ? LAST_NEW_POST : null)
  const more = moreInLane(lane, source.id, write.at)
  const ids = `${hasPosts ? `, ${LAST_NEW_POST} AS last_post_id` : ''}${events.length > 0 ? `, ${FIRST_NEW_EVENT} AS first_event_id` : ''}`
  try {
    const written = await insertPoll(later, effects.record, { ...more, sql: more.sql + ids })
    return written && { ...written, next }
  } catch (error) {
    if (!db.dialect.isUniqueViolation(error)) throw error
    return null
  }
}

interface RowsAsRead {
  readonly source: Source
  readonly host: HostState
  readonly versions: readonly [source: string, host: string]
}

/** null: one of them is not known, or the rules need to know more than these two. */
function rowsAsRead(db: Db, write: PollWrite): RowsAsRead | null {
  const { asRead, leasedBy = null } = write
  const host = asRead?.host
  if (!db.dialect.isShared || !asRead || !host || needsMore(write)) return null
  const { source } = asRead
  const versions = [rowVersionOf(source), rowVersionOf(host)] as const
  if (versions[0] === null || versions[1] === null) return null
  const isOurs = source.id === write.sourceId && source.version === write.version && host.lane === write.lane
  if (!isOurs || host.leasedBy !== leasedBy || host.breaker.state !== 'closed') return null
  // Its rhythm has to be read from what is stored.
  if (source.rhythm === null && source.lastSucceededAt !== null) return null
  return { source, host, versions: [versions[0], versions[1]] }
}

function needsMore({ tombstones, moveTo, countLane, countStorm }: PollWrite): boolean {
  return tombstones.length > 0 || Boolean(moveTo || countLane || countStorm)
}

/** A scheduled poll that went well, and there is nothing to tell of it. */
export function foundNothing(
  { outcome, created, trigger }: PollEffects['record'],
  events: readonly NewEvent[],
): boolean {
  return trigger === 'tick' && outcome === 'success' && created === 0 && events.every(isPoll)
}

const isPoll = ({ type }: NewEvent): boolean => type === 'poll.finished'

const GIVEN_BACK = { leasedBy: null, leasedUntil: null }

export async function writeLane(
  tx: Db,
  lane: string,
  leasedBy: string | null,
  { host, visit }: PollEffects,
): Promise<void> {
  if (host || leasedBy !== null) await updateHost(tx, lane, { ...host, ...(leasedBy !== null && GIVEN_BACK) })
  if (visit) await addVisit(tx, lane, visit)
}
