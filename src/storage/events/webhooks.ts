// Webhooks of users. Their secrets stand, sealed, where all secrets stand.
import type { Webhook } from '../../domain/webhook.ts'
import type { Page, PageQuery } from '../../ports/page.ts'
import type { SecretRow } from '../../ports/secret-store.ts'
import type { WebhookCounts } from '../../ports/webhook-store.ts'
import { codecOf } from '../database/columns.ts'
import type { Database, Db, Row } from '../database/db.ts'
import { insertRows } from '../database/insert-rows.ts'
import { settledId } from '../database/next-ids.ts'
import { ifOwnerExists } from '../people/owner-still-exists.ts'
import { putSecret } from '../people/secrets.ts'
import { addWithinLimit } from '../people/within-limit.ts'
import { pageOf, readCursor } from '../posts/page-cursor.ts'

const codec = codecOf<Webhook>({
  id: ['id', 'text'],
  kind: ['kind', 'text'],
  userId: ['user_id', 'text'],
  url: ['url', 'text'],
  types: ['types', 'json'],
  includePosts: ['include_posts', 'boolean'],
  trusted: ['trusted', 'boolean'],
  failures: ['failures', 'integer'],
  disabledAt: ['disabled_at', 'integer'],
  disabledReason: ['disabled_reason', 'text'],
  createdAt: ['created_at', 'integer'],
})

export function readWebhook(row: Row): Webhook {
  return codec.read(row)
}

/** It gets the events from now on. */
export async function addWebhook(
  db: Database,
  webhook: Webhook,
  secret: SecretRow,
  most: number | null = null,
): Promise<void> {
  await addWithinLimit(db, { what: 'webhooks', userId: webhook.userId, most }, async (tx) => {
    const last = await settledId(tx, 'events')
    const { columns, params } = codec.write(webhook)
    const rows = [[...params, last]]
    const added = await ifOwnerExists(tx, 'user', () =>
      insertRows(tx, { table: 'webhooks', columns: [...columns, 'position'], rows }),
    )
    await putSecret(tx, secret)
    return added
  })
}

export async function getWebhook(db: Db, userId: string, id: string): Promise<Webhook | null> {
  const row = await db.get('SELECT * FROM webhooks WHERE id = ? AND user_id = ?', [id, userId])
  return row ? codec.read(row) : null
}

/** Before its messages, as disabling does: nothing is planned for a webhook that is being disabled. */
export async function lockWebhook(tx: Db, id: string): Promise<Webhook | null> {
  const row = await tx.get(`SELECT * FROM webhooks WHERE id = ? ${tx.dialect.forNoKeyUpdate('webhooks')}`, [id])
  return row ? codec.read(row) : null
}

/** Of a notifier: its target and the events it tells of. Returns it as it is then. */
export async function changeNotifier(
  db: Database,
  userId: string,
  id: string,
  change: Partial<Pick<Webhook, 'url' | 'types'>>,
  target: SecretRow | null,
): Promise<Webhook | null> {
  return db.transaction(async (tx) => {
    const { columns, params } = codec.write(change)
    if (columns.length > 0) {
      const assignments = columns.map((column) => `${column} = ?`).join(', ')
      await tx.run(`UPDATE webhooks SET ${assignments} WHERE id = ? AND user_id = ? AND kind <> 'webhook'`, [
        ...[...params, id, userId],
      ])
    }
    const changed = await getWebhook(tx, userId, id)
    if (target && changed) await putSecret(tx, target)
    return changed
  })
}

export async function listWebhooks(
  db: Db,
  userId: string,
  page: PageQuery,
  which: 'webhooks' | 'notifiers' = 'webhooks',
): Promise<Page<Webhook>> {
  const [createdAt, id] = readCursor(page.cursor, [0, '']) ?? [-1, '']
  const rows = await db.all(
    `SELECT * FROM webhooks WHERE user_id = ? AND kind ${which === 'webhooks' ? '=' : '<>'} 'webhook' AND (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?`,
    [userId, createdAt, id, page.limit + 1],
  )
  return pageOf(rows.map(codec.read), page.limit, (webhook) => [webhook.createdAt, webhook.id])
}

export async function removeWebhook(db: Database, userId: string, id: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const removed = await tx.run('DELETE FROM webhooks WHERE id = ? AND user_id = ?', [id, userId])
    if (removed > 0) await tx.run(`DELETE FROM secrets WHERE scope = 'webhook' AND owner_id = ?`, [id])
    return removed > 0
  })
}

/** Of the messages that are still there: the last one that failed, and why. */
export async function lastDeliveryError(db: Db, webhookId: string): Promise<string | null> {
  const row = await db.get(
    `SELECT last_error FROM deliveries WHERE webhook_id = ? AND last_error IS NOT NULL
     ORDER BY last_attempt_at DESC LIMIT 1`,
    [webhookId],
  )
  return (row?.last_error as string | undefined) ?? null
}

export async function countDeliveries(db: Db, webhookId: string): Promise<WebhookCounts> {
  const count = async (which: string) =>
    Number(
      (await db.get(`SELECT count(*) AS n FROM deliveries WHERE webhook_id = ? AND next_at IS ${which}`, [webhookId]))
        ?.n,
    )
  return { pending: await count('NOT NULL'), deadLetters: await count('NULL') }
}
