// A scheduled poll that found nothing, which most polls are, in one statement. The rules decide by the rows as they were
// read when the poll began; the statement locks these rows and writes nothing if one of them is another by now. Then, and
// whenever there is more to write, null is returned and the poll is recorded in a transaction (record-poll.ts).
// The same statement tells whether the lane has anything else to do (lane-after-poll.ts).
// See docs/decisions/0159-poll-that-found-nothing-is-three-statements.md
import type { NewEvent } from '../../domain/event.ts'
import type { HostState } from '../../domain/host.ts'
import type { Source } from '../../domain/source.ts'
import type { PollEffects, PollWrite, PollWritten } from '../../ports/polling-store.ts'
import type { Database, Db } from '../database/db.ts'
import { writingLater } from '../database/later-writes.ts'
import { rowVersionOf } from '../database/row-versions.ts'
import { HAS_OTHER_POLL_LISTENERS } from '../events/poll-listeners.ts'
import { updateHost } from '../hosts/hosts.ts'
import { addVisit } from '../hosts/lane-hours.ts'
import { updateSource } from '../sources/source-row.ts'
import { hasNoMore, moreInLane } from './lane-after-poll.ts'
import { addToPollHours } from './poll-totals.ts'
import { insertPoll } from './polls.ts'

const AS_READ = `SELECT 1 FROM sources s JOIN hosts h ON h.lane = ?
  WHERE s.id = ? AND CAST(s.xmin AS TEXT) = ? AND CAST(h.xmin AS TEXT) = ? AND NOT ${HAS_OTHER_POLL_LISTENERS}
  FOR NO KEY UPDATE OF s, h`

export async function recordUnchanged(db: Database, write: PollWrite): Promise<PollWritten | null> {
  const rows = rowsAsRead(db, write)
  if (!rows) return null
  const { source, host } = rows
  const found = { created: 0, lostToDuplicates: 0, moveTaken: false, dependants: null, storm: null, history: null }
  const effects = write.decide({ source, host, ...found })
  if (!foundNothing(effects.record, effects.events) || effects.recover) return null
  const { lane } = host
  const later = writingLater(db, { sql: AS_READ, params: [lane, source.id, ...rows.versions] })
  const next = await updateSource(later, source, effects.source)
  await writeLane(later, lane, write.leasedBy ?? null, effects)
  await addToPollHours(later, source, effects.record)
  const written = await insertPoll(later, effects.record, moreInLane(lane, source.id, write.at))
  if (!written) return null
  db.announceUnwritten(effects.events)
  const isLaneEmpty = hasNoMore(written.row, next, write.at)
  return { kind: 'recorded', record: written.poll, source: next, isLaneEmpty }
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
  if (!db.dialect.isShared || !asRead || !host || writesMore(write)) return null
  const { source } = asRead
  const versions = [rowVersionOf(source), rowVersionOf(host)] as const
  if (versions[0] === null || versions[1] === null) return null
  const isOurs = source.id === write.sourceId && source.version === write.version && host.lane === write.lane
  if (!isOurs || host.leasedBy !== leasedBy || host.breaker.state !== 'closed') return null
  // Its rhythm has to be read from what is stored.
  if (source.rhythm === null && source.lastSucceededAt !== null) return null
  return { source, host, versions: [versions[0], versions[1]] }
}

function writesMore({ posts, tombstones, carried, moveTo, countLane, countStorm }: PollWrite): boolean {
  return posts.length + tombstones.length > 0 || Boolean(carried || moveTo || countLane || countStorm)
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
