// The rows that a poll writes to, locked, if it still may write.
import type { HostState } from '../../domain/host.ts'
import type { Source } from '../../domain/source.ts'
import type { PollWrite } from '../../ports/polling-store.ts'
import type { Db, Row } from '../database/db.ts'
import { prepared } from '../database/prepared.ts'
import { HAS_OTHER_POLL_LISTENERS, hasOtherPollListeners } from '../events/poll-listeners.ts'
import { lockedHost, readHost } from '../hosts/hosts.ts'
import { lockedSource, readSource, SOURCE_COLUMNS } from '../sources/source-row.ts'

export interface LockedRows {
  readonly source: Source
  readonly host: HostState | null
  /** Whether somebody listens to polls who is not counted in this process. */
  isHeard(): Promise<boolean>
}

type Polled = Pick<PollWrite, 'sourceId' | 'version' | 'lane' | 'leasedBy'>

export async function lockedRows(tx: Db, { sourceId, version, lane, leasedBy = null }: Polled) {
  const rows = (await lockedTogether(tx, sourceId, lane)) ?? (await lockedOneByOne(tx, sourceId, lane))
  if (!rows) return 'source-gone'
  if (rows.source.version !== version) return 'source-changed'
  return leasedBy !== null && rows.host?.leasedBy !== leasedBy ? 'overtaken' : rows
}

async function lockedOneByOne(tx: Db, sourceId: string, lane: string | null): Promise<LockedRows | null> {
  const source = await lockedSource(tx, sourceId)
  if (!source) return null
  const host = lane === null ? null : await lockedHost(tx, lane)
  return { source, host, isHeard: () => hasOtherPollListeners(tx) }
}

/** In one statement, where each is a round trip; null if one of the rows is missing. */
async function lockedTogether(tx: Db, sourceId: string, lane: string | null): Promise<LockedRows | null> {
  if (!tx.dialect.isShared || lane === null) return null
  const row = await tx.get(
    prepared(`SELECT ${SOURCE_COLUMNS}, p.user_id, row_to_json(h) AS host_row, ${HAS_OTHER_POLL_LISTENERS} AS heard
     FROM sources s JOIN podcasts p ON p.id = s.podcast_id JOIN hosts h ON h.lane = ?
     WHERE s.id = ? FOR UPDATE OF s, h`),
    [lane, sourceId],
  )
  if (!row) return null
  const isHeard = async (): Promise<boolean> => Boolean(row.heard)
  return { source: readSource(row), host: readHost(row.host_row as Row), isHeard }
}
