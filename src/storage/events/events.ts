import type { NewEvent, StoredEvent } from '../../domain/event.ts'
import { arraysOf, binaryArray, columnOf } from '../database/binary-array.ts'
import { codecOf } from '../database/columns.ts'
import type { Db, Row, Transaction } from '../database/db.ts'
import { insertRows } from '../database/insert-rows.ts'
import { fromOnlyIf, type LaterWrites, writingLater } from '../database/later-writes.ts'
import { nextIds, settledId } from '../database/next-ids.ts'
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
  const firstId = tx.dialect.isShared ? await insertWithIds(tx, events) : await insertAfterIds(tx, events)
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
  const later = writingLater(tx)
  await addNewEvents(later, events)
  return Number((await later.get(`SELECT ${FIRST_NEW_EVENT} AS id`))?.id)
}

/** The query that takes their ids is called so in the statement. */
const NEW_EVENTS = 'new_events'

/** Its id, as a part of the same statement. */
export const FIRST_NEW_EVENT = `(SELECT ids[1] FROM ${NEW_EVENTS})`

const NEW_COLUMNS = codec.columns.filter((column) => column !== 'id')
const NEW_TYPES = NEW_COLUMNS.map((column) => (column === 'at' ? 'bigint' : 'text'))

/** On PostgreSQL, as a part of a statement. `lastPost`: the id in it that `posts.created` tells, where it is not known yet. */
export async function addNewEvents(
  later: LaterWrites,
  events: readonly NewEvent[],
  lastPost: string | null = null,
): Promise<void> {
  const told = lastPost === null ? events : events.map(withoutLastPost)
  const rows = told.map((event) => codec.write(event).params)
  const values = NEW_COLUMNS.map((column) => (column === 'data' ? dataWith(lastPost) : `e.${column}`))
  later.define(NEW_EVENTS, `${later.dialect.ids.take}${fromOnlyIf(later)}`, ['events', events.length])
  await later.run(
    `INSERT INTO events (id, ${NEW_COLUMNS.join(', ')}) SELECT t.ids[e.place], ${values.join(', ')}
     FROM ${NEW_EVENTS} t, ${arraysOf(NEW_TYPES)} WITH ORDINALITY AS e (${NEW_COLUMNS.join(', ')}, place)`,
    NEW_TYPES.map((type, column) => binaryArray(type, columnOf(rows, column))),
  )
}

/** Ids are taken late in a transaction, so the rules do not know them. */
export function withLastPost(event: NewEvent, lastPostId: string | null): NewEvent {
  if (event.type !== 'posts.created' || lastPostId === null) return event
  return { ...event, data: { ...event.data, lastPostId } }
}

/** Its id is the end of the data, still empty: SQL writes it between the last two characters but one. */
function withoutLastPost(event: NewEvent): NewEvent {
  if (event.type !== 'posts.created') return event
  const { lastPostId: _, ...others } = event.data
  return { ...event, data: { ...others, lastPostId: '' } }
}

function dataWith(lastPost: string | null): string {
  if (lastPost === null) return 'e.data'
  return `CASE WHEN e.type = 'posts.created' THEN left(e.data, -2) || ${lastPost} || '"}' ELSE e.data END`
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
