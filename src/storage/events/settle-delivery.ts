// What becomes of a message that was tried: gone when it was delivered, put off, or a dead letter. A webhook that is
// disabled keeps dead letters only, also of what was on its way at that moment.

import type { ReceiverChange } from '../../domain/receiver-host.ts'
import type { Delivery, Webhook } from '../../domain/webhook.ts'
import type { DeliveryOutcome, SettledReceiver } from '../../ports/webhook-store.ts'
import type { Database, Db } from '../database/db.ts'
import { CLAIM_MS, recordDelivery } from './receiver-hosts.ts'
import { lockWebhook } from './webhooks.ts'

const DEAD_LETTERS_KEPT = 1000
/** So many attempts in a row that failed: the receiver was down, and is back with the next success. */
const WAS_DOWN = 3
const GONE = 'the receiver answered 410 Gone'

type DeliveryKey = readonly [webhookId: string, eventId: number]

export async function settleDelivery(
  db: Database,
  { webhookId, eventId }: Pick<Delivery, 'webhookId' | 'eventId'>,
  outcome: DeliveryOutcome,
  receiver: SettledReceiver | null = null,
): Promise<ReceiverChange | null> {
  const key = [webhookId, Number(eventId)] as const
  return db.transaction(async (tx) => {
    const webhook = await lockWebhook(tx, webhookId)
    // Removed, and its messages with it: its host was asked all the same.
    if (webhook) await settle(tx, webhook, key, outcome)
    return receiver && recordDelivery(tx, receiver.host, receiver.succeeded, outcome.at)
  })
}

async function settle(tx: Db, webhook: Webhook, key: DeliveryKey, outcome: DeliveryOutcome): Promise<void> {
  switch (outcome.kind) {
    case 'delivered':
      await tx.run('DELETE FROM deliveries WHERE webhook_id = ? AND event_id = ?', key)
      return delivered(tx, webhook, outcome.at)
    case 'put-back': {
      const nextAt = webhook.disabledAt === null ? outcome.at : null
      await tx.run('UPDATE deliveries SET next_at = ?, claimed_host = NULL WHERE webhook_id = ? AND event_id = ?', [
        nextAt,
        ...key,
      ])
      return
    }
    case 'failed':
      return failed(tx, key, { ...outcome, nextAt: webhook.disabledAt === null ? outcome.nextAt : null })
    case 'gone':
      // Together with the attempt: a crash in between would leave one that nobody knows of.
      await failed(tx, key, { ...outcome, nextAt: null })
      return disable(tx, webhook.id, outcome.at)
    default:
      outcome satisfies never
  }
}

async function failed(
  tx: Db,
  key: DeliveryKey,
  { at, status, error, nextAt }: Omit<Extract<DeliveryOutcome, { kind: 'failed' }>, 'kind'>,
): Promise<void> {
  await tx.run(
    `UPDATE deliveries SET attempts = attempts + 1, first_attempt_at = COALESCE(first_attempt_at, ?),
       last_attempt_at = ?, last_status = ?, last_error = ?, next_at = ?, claimed_host = NULL
     WHERE webhook_id = ? AND event_id = ?`,
    [at, at, status, error, nextAt, ...key],
  )
  const [webhookId] = key
  await tx.run('UPDATE webhooks SET failures = failures + 1 WHERE id = ?', [webhookId])
  if (nextAt === null) await dropOldest(tx, webhookId)
}

async function delivered(tx: Db, { id, failures }: Webhook, at: number): Promise<void> {
  if (failures === 0) return
  await tx.run('UPDATE webhooks SET failures = 0 WHERE id = ?', [id])
  if (failures < WAS_DOWN) return
  // It is back: what was put off for its absence goes now. What is claimed is on its way already.
  await tx.run('UPDATE deliveries SET next_at = ? WHERE webhook_id = ? AND attempts > 0 AND next_at > ?', [
    at,
    id,
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

/** Nothing is sent any longer, and what waits becomes dead letters. */
async function disable(tx: Db, id: string, at: number): Promise<void> {
  await tx.run('UPDATE webhooks SET disabled_at = ?, disabled_reason = ? WHERE id = ? AND disabled_at IS NULL', [
    at,
    GONE,
    id,
  ])
  await tx.run('UPDATE deliveries SET next_at = NULL, last_error = COALESCE(last_error, ?) WHERE webhook_id = ?', [
    GONE,
    id,
  ])
  await dropOldest(tx, id)
}
