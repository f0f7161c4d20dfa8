import type { Db } from './db.ts'

export async function readMeta(db: Db, key: string): Promise<string | null> {
  return ((await db.get('SELECT value FROM meta WHERE key = ?', [key]))?.value as string | undefined) ?? null
}

export async function writeMeta(db: Db, key: string, value: string): Promise<void> {
  await db.run('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value', [
    key,
    value,
  ])
}
