// Records of polls. Each carries its number within its source; when the hundred-and-first comes, the first is marked
// as beyond, and clean-up finds it by that mark without looking through the others.
import type { PollRecord } from '../../domain/outcome.ts'
import type { Page, PageQuery } from '../../ports/page.ts'
import { codecOf } from '../database/columns.ts'
import type { Db, Param, Row } from '../database/db.ts'
import { andOnlyIf, rowOf } from '../database/later-writes.ts'
import { pageOf, readCursor } from '../posts/page-cursor.ts'

const KEPT_OF_EACH_SOURCE = 100

const codec = codecOf<PollRecord>({
  id: ['id', 'id'],
  sourceId: ['source_id', 'text'],
  startedAt: ['started_at', 'integer'],
  durationMs: ['duration_ms', 'integer'],
  trigger: ['cause', 'text'],
  outcome: ['outcome', 'text'],
  httpStatus: ['http_status', 'integer'],
  notModified: ['not_modified', 'boolean'],
  bytes: ['bytes', 'integer'],
  found: ['found', 'integer'],
  created: ['created', 'integer'],
  skipped: ['skipped', 'json'],
  gap: ['gap', 'boolean'],
  reason: ['reason', 'text'],
})

export function readPoll(row: Row): PollRecord {
  return codec.read(row)
}

/**
 * The caller holds the lock on the source's row, so the numbers have no gap. null: what the writing depends on was not
 * so. `also`: a further column of the result, which the caller reads from `row`.
 */
export async function insertPoll(
  tx: Db,
  record: Omit<PollRecord, 'id'>,
  also: { readonly sql: string; readonly params: readonly Param[] } = { sql: '', params: [] },
): Promise<{ readonly poll: PollRecord; readonly row: Row } | null> {
  const { columns, params } = codec.write(record)
  await tx.run(
    `UPDATE polls SET beyond = 1
     WHERE source_id = ? AND seq = (SELECT max(seq) FROM polls WHERE source_id = ?) - ${KEPT_OF_EACH_SOURCE - 1}${andOnlyIf(tx)}`,
    [record.sourceId, record.sourceId],
  )
  const id = tx.dialect.ids.ofPoll
  const row = await tx.get(
    `INSERT INTO polls (${id.column}${columns.join(', ')}, seq)
     ${rowOf(tx, `${id.value}${columns.map(() => '?').join(', ')}, (SELECT COALESCE(max(seq), 0) + 1 FROM polls WHERE source_id = ?)`)}
     RETURNING id${also.sql}`,
    [...params, record.sourceId, ...also.params],
  )
  return row ? { row, poll: { ...record, id: String(row.id) } } : null
}

/** Where the clock was set back, some may have been polled since: the very last does not tell of it any more. */
const NEWEST = 100

export async function lastPollEndedAt(db: Db): Promise<number | null> {
  const row = await db.get(
    `SELECT max(ended_at) AS ended_at FROM (
       SELECT started_at + duration_ms AS ended_at FROM polls ORDER BY id DESC LIMIT ${NEWEST}
     ) AS newest`,
  )
  return row && row.ended_at !== null ? Number(row.ended_at) : null
}

export async function listPolls(db: Db, sourceId: string, page: PageQuery): Promise<Page<PollRecord>> {
  const [before] = readCursor(page.cursor, [0]) ?? [Number.MAX_SAFE_INTEGER]
  const rows = await db.all('SELECT * FROM polls WHERE source_id = ? AND seq < ? ORDER BY seq DESC LIMIT ?', [
    sourceId,
    before,
    page.limit + 1,
  ])
  const { nextCursor, items } = pageOf(rows, page.limit, (row) => [Number(row.seq)])
  return { nextCursor, items: items.map(codec.read) }
}
