import type { NewEvent, StoredEvent } from '../../domain/event.ts'
import { codecOf } from '../database/columns.ts'
import type { Db, Row, Transaction } from '../database/db.ts'
import { insertRows } from '../database/insert-rows.ts'
import { nextIds } from '../database/next-ids.ts'
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

export function readEvent(row: Row): StoredEvent {
  return codec.read(row)
}

/** Last in its transaction: see next-ids.ts. Listeners of this process hear of it after the commit. */
export async function insertEvents(tx: Transaction, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  const first = await nextIds(tx, 'events', events.length)
  const rows = events.map((event, index) => codec.write({ ...event, id: String(first + index) }).params)
  await insertRows(tx, { table: 'events', columns: codec.columns, rows })
  tx.announceEvents()
}

export async function eventsAfter(db: Db, position: string, limit: number): Promise<readonly StoredEvent[]> {
  const rows = await db.all('SELECT * FROM events WHERE id > ? ORDER BY id LIMIT ?', [readPosition(position), limit])
  return rows.map(codec.read)
}

export async function lastEventId(db: Db): Promise<string> {
  return String((await db.get(`SELECT value FROM counters WHERE name = 'events'`))?.value ?? 0)
}
