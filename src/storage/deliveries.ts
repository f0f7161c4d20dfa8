// Messages to webhooks: claimed for a while, then delivered, put off or given up. A claim is the row's next instant
// moved into the future: a process that dies with it delays the message, and never loses it.
import type { Delivery } from '../domain/webhook.ts'
import type { Page, PageQuery } from '../ports/page.ts'
import type { ClaimedDelivery, DeliveryOutcome, DueWebhook } from '../ports/webhook-store.ts'
import { codecOf } from './columns.ts'
import { keyOfCursor, pageOf, rowId } from './cursor.ts'
import type { Database, Db } from './db.ts'
import { readWebhook } from './webhooks.ts'

const CLAIM_MS = 30_000
const DEAD_LETTERS_KEPT = 1000
/** So many attempts in a row that failed: the receiver was down, and is back with the next success. */
const WAS_DOWN = 3

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
    `SELECT w.id, (SELECT min(d.next_at) FROM deliveries d WHERE d.webhook_id = w.id AND d.next_at IS NOT NULL) AS due_at
     FROM webhooks w WHERE w.disabled_at IS NULL ORDER BY w.id`,
  )
  return rows.flatMap((row) =>
    row.due_at === null ? [] : [{ webhookId: row.id as string, dueAt: Number(row.due_at) }],
  )
}

/** Retries first: a receiver that is down must not put them off by what is new. */
export async function claimDeliveries(
  db: Database,
  webhookId: string,
  { now, most }: { readonly now: number; readonly most: number },
): Promise<readonly ClaimedDelivery[]> {
  return db.transaction(async (tx) => {
    const webhook = await tx.get('SELECT * FROM webhooks WHERE id = ? AND disabled_at IS NULL', [webhookId])
    if (!webhook) return []
    const rows = await tx.all(
      `SELECT * FROM deliveries WHERE webhook_id = ? AND next_at IS NOT NULL AND next_at <= ?
       ORDER BY CASE WHEN attempts > 0 THEN 0 ELSE 1 END, next_at, event_id LIMIT ?
       ${tx.dialect.forUpdateOfFree('deliveries')}`,
      [webhookId, now, most],
    )
    await tx.run(`UPDATE deliveries SET next_at = ? WHERE webhook_id = ? AND ${tx.dialect.oneOf('event_id')}`, [
      now + CLAIM_MS,
      webhookId,
      tx.dialect.list(rows.map((row) => Number(row.event_id))),
    ])
    return rows.map((row) => ({ delivery: codec.read(row), webhook: readWebhook(webhook) }))
  })
}

export async function settleDelivery(
  db: Database,
  { webhookId, eventId }: Pick<Delivery, 'webhookId' | 'eventId'>,
  outcome: DeliveryOutcome,
): Promise<void> {
  const key = [webhookId, Number(eventId)]
  await db.transaction(async (tx) => {
    switch (outcome.kind) {
      case 'delivered':
        await tx.run('DELETE FROM deliveries WHERE webhook_id = ? AND event_id = ?', key)
        return delivered(tx, webhookId, outcome.at)
      case 'put-back':
        await tx.run('UPDATE deliveries SET next_at = ? WHERE webhook_id = ? AND event_id = ?', [outcome.at, ...key])
        return
      case 'failed':
        await tx.run(
          `UPDATE deliveries SET attempts = attempts + 1, first_attempt_at = COALESCE(first_attempt_at, ?),
             last_attempt_at = ?, last_status = ?, last_error = ?, next_at = ? WHERE webhook_id = ? AND event_id = ?`,
          [outcome.at, outcome.at, outcome.status, outcome.error, outcome.nextAt, ...key],
        )
        await tx.run('UPDATE webhooks SET failures = failures + 1 WHERE id = ?', [webhookId])
        if (outcome.nextAt === null) await dropOldest(tx, webhookId)
        return
      default:
        outcome satisfies never
    }
  })
}

async function delivered(tx: Db, webhookId: string, at: number): Promise<void> {
  const row = await tx.get(`SELECT failures FROM webhooks WHERE id = ? ${tx.dialect.forUpdate('webhooks')}`, [
    webhookId,
  ])
  if (!row || Number(row.failures) === 0) return
  await tx.run('UPDATE webhooks SET failures = 0 WHERE id = ?', [webhookId])
  if (Number(row.failures) < WAS_DOWN) return
  // It is back: what was put off for its absence goes now. What is claimed is on its way already.
  await tx.run('UPDATE deliveries SET next_at = ? WHERE webhook_id = ? AND attempts > 0 AND next_at > ?', [
    at,
    webhookId,
    at + CLAIM_MS,
  ])
}

async function dropOldest(tx: Db, webhookId: string): Promise<void> {
  await tx.run(
    `DELETE FROM deliveries WHERE webhook_id = ? AND next_at IS NULL AND event_id <= (
       SELECT event_id FROM deliveries WHERE webhook_id = ? AND next_at IS NULL
       ORDER BY event_id DESC LIMIT 1 OFFSET ?)`,
    [webhookId, webhookId, DEAD_LETTERS_KEPT],
  )
}

/** The receiver wants no more: nothing is sent any longer, and what waits becomes dead letters. */
export async function disableWebhook(db: Database, id: string, at: number, reason: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.run('UPDATE webhooks SET disabled_at = ?, disabled_reason = ? WHERE id = ? AND disabled_at IS NULL', [
      at,
      reason,
      id,
    ])
    await tx.run('UPDATE deliveries SET next_at = NULL, last_error = COALESCE(last_error, ?) WHERE webhook_id = ?', [
      reason,
      id,
    ])
  })
}

/** Newest first. */
export async function listDeadLetters(db: Db, webhookId: string, page: PageQuery): Promise<Page<Delivery>> {
  const [before] = keyOfCursor(page.cursor, [0]) ?? [Number.MAX_SAFE_INTEGER]
  const rows = await db.all(
    `SELECT * FROM deliveries WHERE webhook_id = ? AND next_at IS NULL AND event_id < ?
     ORDER BY event_id DESC LIMIT ?`,
    [webhookId, before, page.limit + 1],
  )
  return pageOf(rows.map(codec.read), page.limit, (delivery) => [Number(delivery.eventId)])
}

/** Sent once more from the beginning, all of them or those named; null when one of these is no dead letter. */
export async function replayDeadLetters(
  db: Database,
  webhookId: string,
  { at, ids }: { readonly at: number; readonly ids: readonly string[] | null },
): Promise<number | null> {
  const wanted = ids === null ? null : [...new Set(ids)].map(rowId)
  if (wanted?.includes(null)) return null
  return db.transaction(async (tx) => {
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
