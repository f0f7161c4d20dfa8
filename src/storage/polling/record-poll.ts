// All of one poll's effects in one transaction: posts, tombstones, source row, host row, poll record, events. If the source
// was polled since its entries were compared with what is known, they are looked up again under the lock on its row; the
// unique constraint stands behind it. The rules speak through `decide`, between the reading and the writing. Ids are taken
// last (next-ids.ts).
import { sourceEnabled } from '../../domain/event.ts'
import type { HostState } from '../../domain/host.ts'
import { NULL_LANE } from '../../domain/lane.ts'
import type { Candidate, Tombstone } from '../../domain/post.ts'
import type { Source } from '../../domain/source.ts'
import type { Storm } from '../../domain/storm.ts'
import type { PollEffects, PollWrite, PollWritten } from '../../ports/polling-store.ts'
import type { Database, Db, Transaction } from '../database/db.ts'
import { writingLater } from '../database/later-writes.ts'
import { insertEvents, withLastPost } from '../events/events.ts'
import type { PollListeners } from '../events/poll-listeners.ts'
import { dependantsOf, recoverLane } from '../hosts/recover-host.ts'
import { stormWith } from '../hosts/storm.ts'
import { isUrlTaken } from '../sources/change-source.ts'
import { updateSource } from '../sources/source-row.ts'
import { ageTombstones } from './age-tombstones.ts'
import { insertPosts } from './insert-posts.ts'
import { knownHashes } from './known-entries.ts'
import { addsToLane, hasNoMore, moreInLane } from './lane-after-poll.ts'
import { lockedRows } from './locked-rows.ts'
import { type PackedCandidate, packCandidates, uniqueByHash } from './new-posts.ts'
import { addToPollHours } from './poll-totals.ts'
import { insertPoll } from './polls.ts'
import { historyOf } from './publishing-history.ts'
import { foundNothing, recordAsRead, writeLane } from './record-as-read.ts'
import { insertTombstones } from './tombstones.ts'

type Listeners = Pick<PollListeners, 'areHere'>

export async function recordPoll(db: Database, write: PollWrite, listeners: Listeners): Promise<PollWritten> {
  const packed = await packCandidates(write.posts)
  const written = await recordAsRead(db, write, packed, listeners)
  if (written) return written
  try {
    return await db.transaction((tx) => record(tx, write, packed, listeners))
  } catch (error) {
    // Another process took the URL that this poll moves to, or stored one of its posts: look again, once.
    if (!db.dialect.isUniqueViolation(error)) throw error
    const { asRead: _, ...again } = write
    return db.transaction((tx) => record(tx, again, packed, listeners))
  }
}

async function record(
  tx: Transaction,
  write: PollWrite,
  packed: readonly PackedCandidate[],
  listeners: Listeners,
): Promise<PollWritten> {
  const rows = await lockedRows(tx, write)
  if (typeof rows === 'string') return { kind: rows }
  const { source, host } = rows
  const leasedBy = write.leasedBy ?? null
  if (write.lastPolled !== undefined && source.lastPolled !== write.lastPolled) return { kind: 'overtaken' }

  const known = isAsChosen(write, source) ? new Set<string>() : await knownHashes(tx, source.id, hashesOf(write))
  const fresh = unknownOnes(packed, write.tombstones, known)
  await insertTombstones(tx, source.id, fresh.tombstones)
  if (write.carried) await ageTombstones(tx, tx, source.id, write.carried, write.at)

  const storm = write.countStorm ? await stormAt(tx, write.lane, source, host) : null
  const isCounted = write.countLane || storm !== null || (host !== null && host.breaker.state !== 'closed')
  const effects = write.decide({
    source,
    host,
    dependants: write.lane !== null && isCounted ? await dependantsOf(tx, write.lane) : null,
    storm,
    history: await historyOf(tx, source),
    created: fresh.posts.length,
    lostToDuplicates: write.posts.length - fresh.posts.length,
    moveTaken: Boolean(write.moveTo) && (await isUrlTaken(tx, source.id, source.podcastId, write.moveTo ?? '')),
  })
  const postCount = source.postCount + fresh.posts.length
  const later = writingLater(tx)
  const next = await updateSource(later, source, { ...effects.source, postCount })
  if (write.lane !== null) await writeLane(later, write.lane, leasedBy, effects)
  await addToPollHours(later, source, effects.record)
  const written = await insertPoll(later, effects.record, moreInLane(write.lane ?? NULL_LANE, source.id, write.at))
  if (!written) throw new Error('the record of a poll was not written')
  const enabled = await recoverOthers(tx, write.lane, source, effects)
  const lastPostId = await insertPosts(tx, source, fresh.posts, write.at)
  const events = [...effects.events, ...enabled.map((each) => sourceEnabled(each, write.at, 'its host answers again'))]
  const isQuiet = fresh.posts.length === 0 && foundNothing(effects.record, events)
  if (isQuiet && !(listeners.areHere || (await rows.isHeard()))) {
    tx.announceEvents(events, { firstId: null })
  } else {
    await insertEvents(
      tx,
      events.map((event) => withLastPost(event, lastPostId)),
    )
  }
  const isLaneEmpty = !addsToLane(effects, fresh.posts) && hasNoMore(written.row, next, write.at)
  return { kind: 'recorded', record: written.poll, source: next, isLaneEmpty }
}

async function recoverOthers(
  tx: Db,
  lane: string | null,
  source: Source,
  { recover, enableSince = null }: PollEffects,
): Promise<readonly Source[]> {
  return lane !== null && recover ? recoverLane(tx, lane, source.id, recover, enableSince) : []
}

/** Only of a lane that worked and is not left alone already, and for the sources in it. */
async function stormAt(tx: Db, lane: string | null, source: Source, host: HostState | null): Promise<Storm | null> {
  if (lane !== source.lane || !host || host.lastSucceededAt === null || host.breaker.state !== 'closed') return null
  return stormWith(tx, source, host.lastSucceededAt)
}

/** Whatever adds posts or tombstones to a source, but for its clean-up, which adds nothing new, changes one of these. */
function isAsChosen({ asRead }: PollWrite, source: Source): boolean {
  const before = asRead?.source
  return before?.lastPolled === source.lastPolled && before.postCount === source.postCount
}

function hashesOf({ posts, tombstones }: PollWrite): string[] {
  return [...posts, ...tombstones].map(({ contentHash }) => contentHash)
}

function unknownOnes(posts: readonly PackedCandidate[], tombstones: readonly Tombstone[], known: Set<string>) {
  const freshPosts = posts.filter((post) => !known.has(post.contentHash))
  for (const post of freshPosts) known.add(post.contentHash)
  return { posts: freshPosts, tombstones: uniqueByHash(tombstones).filter((entry) => !known.has(entry.contentHash)) }
}

export async function addPosts(
  db: Database,
  sourceId: string,
  version: number,
  posts: readonly Candidate[],
  at: number,
  lease: Pick<PollWrite, 'lane' | 'leasedBy'> = { lane: null },
): Promise<number | Exclude<PollWritten['kind'], 'recorded'>> {
  const packed = await packCandidates(posts)
  return db.transaction(async (tx) => {
    const rows = await lockedRows(tx, { sourceId, version, ...lease })
    if (typeof rows === 'string') return rows
    const { source } = rows
    const known = await knownHashes(
      tx,
      source.id,
      posts.map((post) => post.contentHash),
    )
    const fresh = packed.filter((post) => !known.has(post.contentHash))
    await updateSource(tx, source, { postCount: source.postCount + fresh.length })
    await insertPosts(tx, source, fresh, at)
    return fresh.length
  })
}
