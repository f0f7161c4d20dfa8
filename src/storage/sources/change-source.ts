// Changes a source. `change` decides inside the transaction, with the source as it is at that moment, so that nobody's
// change is overwritten. A source that moves to another podcast takes its posts and articles along.
import type { NewEvent } from '../../domain/event.ts'
import type { Source } from '../../domain/source.ts'
import type { SecretRow } from '../../ports/secret-store.ts'
import type { SourceChange } from '../../ports/source-store.ts'
import type { Database, Db, Transaction } from '../database/db.ts'
import { insertEvents } from '../events/events.ts'
import { dropPagesOf } from '../pages/drop-pages.ts'
import { ifOwnerExists } from '../people/owner-still-exists.ts'
import { putSecret } from '../people/secrets.ts'
import { forgetSkipped } from './forget-skipped.ts'
import { movePostsAndArticles } from './move-source.ts'
import { lockedSource, updateSource, urlHash } from './source-row.ts'

export interface DecidedChange {
  readonly set: SourceChange
  readonly events: readonly NewEvent[]
  readonly secret?: SecretRow | null
  readonly forgetSkippedSince?: number
  readonly dropPages?: boolean
}

export async function changeSource(
  db: Database,
  id: string,
  change: (current: Source) => DecidedChange | null,
): Promise<Source | null | 'exists'> {
  try {
    return await db.transaction(async (tx) => {
      const current = await lockedSource(tx, id)
      if (!current) return null
      const decided = change(current)
      return decided ? write(tx, current, decided) : current
    })
  } catch (error) {
    // Another process took the URL between our check and our write.
    if (db.dialect.isUniqueViolation(error)) return 'exists'
    throw error
  }
}

async function write(
  tx: Transaction,
  current: Source,
  { set, events, secret, forgetSkippedSince, dropPages = false }: DecidedChange,
): Promise<Source | 'exists'> {
  const podcastId = set.podcastId ?? current.podcastId
  const urlKey = set.urlKey ?? current.urlKey
  const moves = podcastId !== current.podcastId
  if ((moves || urlKey !== current.urlKey) && (await isUrlTaken(tx, current.id, podcastId, urlKey))) return 'exists'
  if (moves) await movePostsAndArticles(tx, current, podcastId)
  const next = await ifOwnerExists(tx, 'podcast', () => updateSource(tx, current, set))
  if (forgetSkippedSince !== undefined) await forgetSkipped(tx, current.id, forgetSkippedSince)
  if (dropPages) await dropPagesOf(tx, current.id)
  if (secret !== undefined) {
    await tx.run(`DELETE FROM secrets WHERE scope = 'source' AND owner_id = ?`, [current.id])
    if (secret) await putSecret(tx, secret)
  }
  await insertEvents(tx, events)
  return moves ? { ...next, userId: await ownerOf(tx, podcastId) } : next
}

/** Whether another source of the podcast has this URL. */
export async function isUrlTaken(tx: Db, id: string, podcastId: string, urlKey: string): Promise<boolean> {
  const sql = 'SELECT id FROM sources WHERE podcast_id = ? AND url_hash = ? AND id <> ?'
  return (await tx.get(sql, [podcastId, urlHash(urlKey), id])) !== undefined
}

async function ownerOf(tx: Db, podcastId: string): Promise<string> {
  return (await tx.get('SELECT user_id FROM podcasts WHERE id = ?', [podcastId]))?.user_id as string
}
