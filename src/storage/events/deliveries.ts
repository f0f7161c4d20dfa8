// Messages to webhooks: claimed for a while, then settled (settle-delivery.ts). A claim is the row's next instant moved
// into the future: a process that dies with it delays the message, and never loses it.
import type { Delivery, Webhook } from '../../domain/webhook.ts'
import type { Page, PageQuery } from '../../ports/page.ts'
import type { ClaimedDelivery, DeliveryClaim, DueWebhook } from '../../ports/webhook-store.ts'
import { codecOf } from '../database/columns.ts'
import type { Database, Db } from '../database/db.ts'
import { pageOf, parseRowId, readCursor } from '../posts/page-cursor.ts'
import { CLAIM_MS, placesAt } from './receiver-hosts.ts'
import { lockWebhook, readWebhook } from './webhooks.ts'

const codec = codecOf<Delivery>({
  webhookId: ['webhook_id', 'text'],
  eventId: ['event_id', 'id'],
  messageId: ['message_id', 'text'],
  type: ['type', 'text'],
  payload: ['payload', 'text'],
  createdAt: ['created_at', 'integer'],
  attempts: ['attempts', 'integer'],
  firstAttemptAt: ['first_attempt_at', 'integer'],
  lastAttemptAt: ['last_attempt_at', 'integer'],
  lastStatus: ['last_status', 'integer'],
  lastError: ['last_error', 'text'],
  nextAt: ['next_at', 'integer'],
})

/** Webhooks that have a message waiting, with the instant from which the first of them is due. */
export async function waitingWebhooks(db: Db): Promise<readonly DueWebhook[]> {
  const rows = await db.all(
    `SELECT w.id, w.kind, w.url, (SELECT min(d.next_at) FROM deliveries d WHERE d.webhook_id = w.id AND d.next_at IS NOT NULL) AS due_at
     FROM webhooks w WHERE w.disabled_at IS NULL ORDER BY w.id`,
  )
  return rows.flatMap(({ id, kind, url, due_at: dueAt }) => {
    if (dueAt === null) return []
    return [{ webhookId: id as string, kind: kind as Webhook['kind'], url: url as string, dueAt: Number(dueAt) }]
  })
}

/** Retries first: a receiver that is down must not put them off by what is new. */
export async function claimDeliveries(
  db: Database,
  webhookId: string,
  { now, most, host }: DeliveryClaim,
): Promise<readonly ClaimedDelivery[]> {
  return db.transaction(async (tx) => {
    const webhook = await tx.get('SELECT * FROM webhooks WHERE id = ? AND disabled_at IS NULL', [webhookId])
    if (!webhook) return []
    const places = host === null ? most : Math.min(most, await placesAt(tx, host, now))
    if (places === 0) return []
    const rows = await tx.all(
      `SELECT * FROM deliveries WHERE webhook_id = ? AND next_at IS NOT NULL AND next_at <= ?
       ORDER BY CASE WHEN attempts > 0 THEN 0 ELSE 1 END, next_at, event_id LIMIT ?
       ${tx.dialect.forUpdateSkipLocked('deliveries')}`,
      [webhookId, now, places],
    )
    await tx.run(
      `UPDATE deliveries SET next_at = ?, claimed_host = ?, claimed_until = ?
       WHERE webhook_id = ? AND ${tx.dialect.oneOf('event_id')}`,
      [...[now + CLAIM_MS, host, now + CLAIM_MS, webhookId], tx.dialect.list(rows.map((row) => Number(row.event_id)))],
    )
    return rows.map((row) => ({ delivery: codec.read(row), webhook: readWebhook(webhook) }))
  })
}

/** Newest first. */
export async function listDeadLetters(db: Db, webhookId: string, page: PageQuery): Promise<Page<Delivery>> {
  const [before] = readCursor(page.cursor, [0]) ?? [Number.MAX_SAFE_INTEGER]
  const rows = await db.all(
    `SELECT * FROM deliveries WHERE webhook_id = ? AND next_at IS NULL AND event_id < ?
     ORDER BY event_id DESC LIMIT ?`,
    [webhookId, before, page.limit + 1],
  )
  return pageOf(rows.map(codec.read), page.limit, (delivery) => [Number(delivery.eventId)])
}

/** Sent once more from the beginning, all or those named; null when one of these is no dead letter. None while disabled. */
export async function replayDeadLetters(
  db: Database,
  webhookId: string,
  { at, ids }: { readonly at: number; readonly ids: readonly string[] | null },
): Promise<number | null> {
  const wanted = ids === null ? null : [...new Set(ids)].map(parseRowId)
  if (wanted?.includes(null)) return null
  return db.transaction(async (tx) => {
    if ((await lockWebhook(tx, webhookId))?.disabledAt !== null) return 0
    const which = wanted ? `AND ${tx.dialect.oneOf('event_id')}` : ''
    const named = wanted ? [tx.dialect.list(wanted as number[])] : []
    const dead = await tx.all(
      `SELECT event_id FROM deliveries WHERE webhook_id = ? AND next_at IS NULL ${which}
       ${tx.dialect.forUpdate('deliveries')}`,
      [webhookId, ...named],
    )
    if (wanted && dead.length < wanted.length) return null
    return tx.run(
      `UPDATE deliveries SET next_at = ?, attempts = 0, first_attempt_at = NULL
       WHERE webhook_id = ? AND next_at IS NULL ${which}`,
      [at, webhookId, ...named],
    )
  })
}
