// From event rows to messages for webhooks. Each webhook has a position among the events; moving it and writing the
// messages for what it passed is one transaction, so that a crash loses none and makes none twice. A webhook that
// has many messages waiting stays where it is: events wait in their own table, not as a growing heap of messages.
// See docs/decisions/0083-webhook-messages-are-claimed-rows.md
import { type EventType, type StoredEvent, seenBy } from '../../domain/event.ts'
import type { Webhook } from '../../domain/webhook.ts'
import type { QueueRequest } from '../../ports/webhook-store.ts'
import type { Database, Db } from '../database/db.ts'
import { insertRows } from '../database/insert-rows.ts'
import { settledId } from '../database/next-ids.ts'
import { carriedPostsOf } from './carried-posts.ts'
import { settledEvents } from './events.ts'
import { readWebhook } from './webhooks.ts'

const EVENTS_AT_ONCE = 200
const MOST_WAITING = 1000

/** Returns how many events were passed; 0: every webhook stands where it can. */
export async function queueDeliveries(db: Database, request: QueueRequest): Promise<number> {
  const settled = await settledId(db, 'events')
  const behind = await db.all('SELECT id FROM webhooks WHERE disabled_at IS NULL AND position < ? ORDER BY id', [
    settled,
  ])
  let passed = 0
  for (const row of behind) passed += await db.transaction((tx) => queueFor(tx, row.id as string, settled, request))
  return passed
}

async function queueFor(tx: Db, id: string, settled: number, request: QueueRequest): Promise<number> {
  const row = await tx.get(`SELECT * FROM webhooks WHERE id = ? ${tx.dialect.forUpdate('webhooks')}`, [id])
  if (!row || row.disabled_at !== null) return 0
  const waiting = await tx.get('SELECT count(*) AS n FROM deliveries WHERE webhook_id = ? AND next_at IS NOT NULL', [
    id,
  ])
  if (Number(waiting?.n) >= MOST_WAITING) return 0
  const position = Number(row.position)
  const events = await settledEvents(tx, position, settled, EVENTS_AT_ONCE)
  const last = events.at(-1)
  if (!last) {
    // Whatever was there was cleaned up before anybody looked at it.
    await tx.run('UPDATE webhooks SET position = ? WHERE id = ? AND position < ?', [settled, id, settled])
    return 0
  }
  const webhook = readWebhook(row)
  await insertMessages(tx, webhook, await eventsFor(tx, webhook, events), request)
  await tx.run('UPDATE webhooks SET position = ? WHERE id = ?', [Number(last.id), id])
  return events.length
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
  for (const event of events) {
    payloads.push(payloadOf(event, webhook.includePosts ? await carriedPostsOf(tx, event) : null))
  }
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
