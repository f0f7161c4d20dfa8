import type { NewEvent, StoredEvent } from '../../domain/event.ts'
import { codecOf } from '../database/columns.ts'
import type { Db, Row, Transaction } from '../database/db.ts'
import { insertRows } from '../database/insert-rows.ts'
import { nextIds, settledId } from '../database/next-ids.ts'
import { prepared } from '../database/prepared.ts'
import { readPosition } from '../posts/page-cursor.ts'

const codec = codecOf<StoredEvent>({
  id: ['id', 'id'],
  type: ['type', 'text'],
  at: ['at', 'integer'],
  userId: ['user_id', 'text'],
  podcastId: ['podcast_id', 'text'],
  sourceId: ['source_id', 'text'],
  host: ['host', 'text'],
  data: ['data', 'json'],
})

/** Most transactions have a few. */
const MOST_AT_ONCE = 8

export function readEvent(row: Row): StoredEvent {
  return codec.read(row)
}

/** Last in its transaction: see next-ids.ts. Listeners of this process hear of it after the commit. */
export async function insertEvents(tx: Transaction, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  const isOneStatement = tx.dialect.isShared && events.length <= MOST_AT_ONCE
  const firstId = isOneStatement ? await insertWithIds(tx, events) : await insertAfterIds(tx, events)
  tx.announceEvents(events, { firstId })
}

/** Returns the first id. */
async function insertAfterIds(tx: Db, events: readonly NewEvent[]): Promise<number> {
  const ids = await nextIds(tx, 'events', events.length)
  const rows = events.map((event, index) => codec.write({ ...event, id: String(ids[index]) }).params)
  await insertRows(tx, { table: 'events', columns: codec.columns, rows })
  return ids[0] ?? 0
}

/** Takes the ids in the same statement, where each statement is a round trip. Returns the first. */
async function insertWithIds(tx: Db, events: readonly NewEvent[]): Promise<number> {
  const written = events.map((event) => codec.write(event))
  const rows = written.map(
    ({ params }, n) => `((SELECT ids[${n + 1}] FROM taken), ${params.map(() => '?').join(', ')})`,
  )
  const first = await tx.get(
    prepared(`WITH taken AS (${tx.dialect.ids.take})
     INSERT INTO events (id, ${written[0]?.columns.join(', ')}) VALUES ${rows.join(', ')} RETURNING id`),
    ['events', events.length, ...written.flatMap(({ params }) => params)],
  )
  return Number(first?.id)
}

export async function eventsAfter(db: Db, position: string, limit: number): Promise<readonly StoredEvent[]> {
  return settledEvents(db, readPosition(position), await settledId(db, 'events'), limit)
}

/** After a position, as far as `settledId` allows. */
export async function settledEvents(db: Db, after: number, settled: number, limit: number): Promise<StoredEvent[]> {
  const rows = await db.all('SELECT * FROM events WHERE id > ? AND id <= ? ORDER BY id LIMIT ?', [
    after,
    settled,
    limit,
  ])
  return rows.map(codec.read)
}

export async function lastEventId(db: Db): Promise<string> {
  return String(await settledId(db, 'events'))
}

/** The newest event that clean-up removed. */
export async function lastRemovedEventId(db: Db): Promise<string> {
  return String((await db.get(`SELECT value FROM counters WHERE name = 'removed-events'`))?.value ?? 0)
}
