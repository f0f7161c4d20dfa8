// Single values of the whole store by key, such as the time of the last tick.
import type { NewEvent } from '../domain/event.ts'
import type { Database, Db } from './database/db.ts'
import { insertEvents } from './events/events.ts'

export async function readMeta(db: Db, key: string): Promise<string | null> {
  return ((await db.get('SELECT value FROM meta WHERE key = ?', [key]))?.value as string | undefined) ?? null
}

export async function writeMeta(
  db: Database,
  key: string,
  value: string,
  events: readonly NewEvent[] = [],
): Promise<void> {
  if (events.length === 0) return write(db, key, value)
  await db.transaction(async (tx) => {
    await write(tx, key, value)
    await insertEvents(tx, events)
  })
}

/** Only if the value is still `was` (null: there is none), and with the events. False: another process was first. */
export async function replaceMeta(
  db: Database,
  key: string,
  was: string | null,
  value: string,
  events: readonly NewEvent[],
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const changed =
      was === null
        ? await tx.run('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO NOTHING', [key, value])
        : await tx.run('UPDATE meta SET value = ? WHERE key = ? AND value = ?', [value, key, was])
    if (changed > 0) await insertEvents(tx, events)
    return changed > 0
  })
}

async function write(db: Db, key: string, value: string): Promise<void> {
  await db.run('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value', [
    key,
    value,
  ])
}
