// Adds a source with its events and its credentials, unless the podcast has one with the same URL.
import type { NewEvent } from '../../domain/event.ts'
import type { Source } from '../../domain/source.ts'
import type { SecretRow } from '../../ports/secret-store.ts'
import type { Database } from '../database/db.ts'
import { insertRows } from '../database/insert-rows.ts'
import { insertEvents } from '../events/events.ts'
import { ifOwnerExists } from '../people/owner-still-exists.ts'
import { putSecret } from '../people/secrets.ts'
import { addWithinLimit } from '../people/within-limit.ts'
import { sourceColumns } from './source-row.ts'

export async function addSource(
  db: Database,
  source: Source,
  events: readonly NewEvent[],
  secret: SecretRow | null,
  most: number | null = null,
): Promise<'added' | 'exists'> {
  const { columns, params } = sourceColumns(source)
  const added = await addWithinLimit(db, { what: 'sources', userId: source.userId, most }, async (tx) => {
    const onConflict = 'ON CONFLICT (podcast_id, url_hash) DO NOTHING'
    const row = { table: 'sources', columns, rows: [params], onConflict }
    const inserted = await ifOwnerExists(tx, 'podcast', () => insertRows(tx, row))
    if (inserted === 0) return 0
    if (secret) await putSecret(tx, secret)
    await insertEvents(tx, events)
    return inserted
  })
  return added === 0 ? 'exists' : 'added'
}
