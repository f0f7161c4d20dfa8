// Opens the store behind a database URL: brings its schema up to date and adds the default user and podcast.
import { closeSync, openSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { databaseOf } from '../database-url.ts'
import { BUILT_IN_TYPES } from '../domain/built-in-types.ts'
import { DEFAULT_ID } from '../domain/person.ts'
import type { SourceTypes } from '../domain/source-type.ts'
import { makeFolder } from '../make-folder.ts'
import type { Log } from '../ports/log.ts'
import type { Store } from '../ports/store.ts'
import type { Database } from './database/db.ts'
import { migrate } from './database/migrate.ts'
import { openSqlite } from './database/sqlite-db.ts'
import { storePartsOf } from './store-parts.ts'
import { refuseUnfinished } from './transfer/unfinished.ts'

export interface OpenOptions {
  readonly log?: Log
  /** The creation time of the default user and podcast. */
  readonly now?: number
  /** By default those that the program comes with. */
  readonly types?: SourceTypes
  /** Then methods that few commands need are loaded when they are first called. */
  readonly isForCommand?: boolean
}

export async function openStore(url: string, options: OpenOptions = {}): Promise<Store> {
  const { db, schemaVersion } = await openMigratedDatabase(url, options)
  const openLaneQueue = async () => {
    // Loaded only when it is used, as the driver is.
    const { openLaneQueue: open } = await import('./lane-queue/pg-boss-queue.ts')
    return open(url, db, options.log)
  }
  const types = options.types ?? BUILT_IN_TYPES
  const lanes = db.dialect.isShared ? openLaneQueue : null
  if (options.isForCommand) {
    const { createCommandStore } = await import('./command-store.ts')
    return createCommandStore(db, storePartsOf(db, { version: schemaVersion, types, openLaneQueue: lanes }))
  }
  return (await import('./store.ts')).createStore(db, schemaVersion, types, lanes)
}

export async function openMigratedDatabase(
  url: string,
  options: OpenOptions = {},
): Promise<{ readonly db: Database; readonly schemaVersion: number }> {
  const db = await openDatabase(url, options)
  try {
    const schemaVersion = await migrate(db)
    await refuseUnfinished(db)
    await addDefaults(db, options.now ?? Date.now())
    return { db, schemaVersion }
  } catch (error) {
    await db.close()
    throw error
  }
}

export async function openDatabase(url: string, { log }: OpenOptions): Promise<Database> {
  const named = databaseOf(url)
  if (!named) throw new Error('database.url: expected file:<path>, file::memory: or postgres://...')
  if ('path' in named) return openSqlite(prepareFile(named.path), log)
  // The driver is loaded only when it is used, because that takes time and most stores are files.
  return (await import('./database/postgres-db.ts')).openPostgres(url, log)
}

/** Creates the file if it does not exist, readable by its owner only. Returns its path. */
function prepareFile(written: string): string {
  if (written === ':memory:') return written
  const path = resolve(written)
  makeFolder(dirname(path))
  // SQLite gives its WAL files the permissions of the database file.
  closeSync(openSync(path, 'a', 0o600))
  return path
}

async function addDefaults(db: Database, now: number): Promise<void> {
  // Read first: most starts have nothing to write.
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
