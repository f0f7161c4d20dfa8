// A database URL becomes a store whose schema is up to date and which has the default user and podcast.
import { closeSync, openSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DEFAULT_ID } from '../domain/person.ts'
import { makeFolder } from '../make-folder.ts'
import type { Log } from '../ports/log.ts'
import type { Store } from '../ports/store.ts'
import type { Database } from './database/db.ts'
import { migrate } from './database/migrate.ts'
import { openSqlite } from './database/sqlite-db.ts'
import { storeOver } from './store.ts'

export interface OpenOptions {
  readonly log?: Log
  /** Stamp of the default user and podcast when they are made. */
  readonly now?: number
}

export async function openStore(url: string, options: OpenOptions = {}): Promise<Store> {
  const db = await openDatabase(url, options)
  try {
    const version = await migrate(db)
    await addDefaults(db, options.now ?? Date.now())
    return storeOver(db, version)
  } catch (error) {
    await db.close()
    throw error
  }
}

async function openDatabase(url: string, { log }: OpenOptions): Promise<Database> {
  // Its driver is loaded only where it is used: most stores are a file, and a start should not wait for it.
  if (/^postgres(ql)?:\/\//.test(url)) return (await import('./database/postgres-db.ts')).openPostgres(url, log)
  if (!url.startsWith('file:')) {
    throw new Error('database.url: expected file:<path>, file::memory: or postgres://...')
  }
  return openSqlite(prepareFile(url))
}

/** The path of the file, which exists then and is readable by its owner only. */
function prepareFile(url: string): string {
  if (url === 'file::memory:') return ':memory:'
  const path = url.startsWith('file://') ? fileURLToPath(url) : resolve(url.slice('file:'.length))
  makeFolder(dirname(path))
  // SQLite gives its log files the permissions of the database.
  closeSync(openSync(path, 'a', 0o600))
  return path
}

async function addDefaults(db: Database, now: number): Promise<void> {
  // Looked at first: a start usually has nothing to write.
  if (await db.get('SELECT id FROM podcasts WHERE id = ?', [DEFAULT_ID])) return
  await db.transaction(async (tx) => {
    await tx.run(`INSERT INTO users (id, name, created_at) VALUES (?, 'Default', ?) ON CONFLICT (id) DO NOTHING`, [
      DEFAULT_ID,
      now,
    ])
    await tx.run(
      `INSERT INTO podcasts (id, user_id, name, created_at) VALUES (?, ?, 'Default', ?) ON CONFLICT (id) DO NOTHING`,
      [DEFAULT_ID, DEFAULT_ID, now],
    )
  })
}
