// From event rows to messages for webhooks. Each webhook has a position among the events; moving it and writing the
// messages for what it passed is one transaction, so that a crash loses none and makes none twice. A webhook that
// has many messages waiting stays where it is: events wait in their own table, not as a growing heap of messages.
// See docs/decisions/0083-webhook-messages-are-claimed-rows.md
import { type EventType, type StoredEvent, seenBy } from '../../domain/event.ts'
import type { Webhook } from '../../domain/webhook.ts'
import type { QueueRequest } from '../../ports/webhook-store.ts'
import type { Database, Db } from '../database/db.ts'
import { insertRows } from '../database/insert-rows.ts'
import { readEvent } from './events.ts'
import { newPostsOf } from './new-posts.ts'
import { readWebhook } from './webhooks.ts'

const EVENTS_AT_ONCE = 200
const MOST_WAITING = 1000

/** Returns how many events were passed; 0: every webhook stands where it can. */
export async function queueDeliveries(db: Database, request: QueueRequest): Promise<number> {
  const behind = await db.all(
    `SELECT id FROM webhooks WHERE disabled_at IS NULL
       AND position < (SELECT value FROM counters WHERE name = 'events') ORDER BY id`,
  )
  let passed = 0
  for (const row of behind) passed += await db.transaction((tx) => queueFor(tx, row.id as string, request))
  return passed
}

async function queueFor(tx: Db, id: string, request: QueueRequest): Promise<number> {
  const row = await tx.get(`SELECT * FROM webhooks WHERE id = ? ${tx.dialect.forUpdate('webhooks')}`, [id])
  if (!row || row.disabled_at !== null) return 0
  const waiting = await tx.get('SELECT count(*) AS n FROM deliveries WHERE webhook_id = ? AND next_at IS NOT NULL', [
    id,
  ])
  if (Number(waiting?.n) >= MOST_WAITING) return 0
  const position = Number(row.position)
  const rows = await tx.all('SELECT * FROM events WHERE id > ? ORDER BY id LIMIT ?', [position, EVENTS_AT_ONCE])
  const events = rows.map(readEvent)
  const last = events.at(-1)
  if (!last) {
    await passCleaned(tx, id)
    return 0
  }
  const webhook = readWebhook(row)
  await insertMessages(tx, webhook, await eventsFor(tx, webhook, events), request)
  await tx.run('UPDATE webhooks SET position = ? WHERE id = ?', [Number(last.id), id])
  return events.length
}

/**
 * Events that were cleaned up before anybody looked at them are passed. Looking and moving are one statement: on
 * PostgreSQL each statement sees what was committed before it, and an event may have come since the last one.
 */
async function passCleaned(tx: Db, id: string): Promise<void> {
  await tx.run(
    `UPDATE webhooks SET position = (SELECT value FROM counters WHERE name = 'events')
     WHERE id = ? AND NOT EXISTS (SELECT 1 FROM events e WHERE e.id > webhooks.position)`,
    [id],
  )
}

async function eventsFor(tx: Db, webhook: Webhook, events: readonly StoredEvent[]): Promise<StoredEvent[]> {
  const wanted = new Set<EventType>(webhook.types)
  const seen: StoredEvent[] = []
  for (const event of events) {
    if (!wanted.has(event.type)) continue
    const isAboutHost = event.userId === null && event.host !== null
    const shown = seenBy(event, webhook.userId, isAboutHost && (await hasSourceOn(tx, webhook.userId, event.host)))
    if (shown) seen.push(shown)
  }
  return seen
}

export async function hasSourceOn(db: Db, userId: string, lane: string): Promise<boolean> {
  const row = await db.get(
    'SELECT s.id FROM sources s JOIN podcasts p ON p.id = s.podcast_id WHERE s.lane = ? AND p.user_id = ? LIMIT 1',
    [lane, userId],
  )
  return row !== undefined
}

async function insertMessages(
  tx: Db,
  webhook: Webhook,
  events: readonly StoredEvent[],
  { at, newMessageId, payloadOf }: QueueRequest,
): Promise<void> {
  const payloads: string[] = []
  for (const event of events) payloads.push(payloadOf(event, webhook.includePosts ? await newPostsOf(tx, event) : null))
  await insertRows(tx, {
    table: 'deliveries',
    columns: ['webhook_id', 'event_id', 'message_id', 'type', 'payload', 'created_at', 'attempts', 'next_at'],
    rows: events.map((event, index) => [
      ...[webhook.id, Number(event.id), newMessageId(), event.type, payloads[index] ?? '', at, 0, at],
    ]),
    // Given out again after a restored backup: what waits under this number stays.
    onConflict: 'ON CONFLICT (webhook_id, event_id) DO NOTHING',
  })
}
