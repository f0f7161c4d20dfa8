// A store on a SQLite file in a temporary folder.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '../../src/ports/store.ts'
import type { Database } from '../../src/storage/database/db.ts'
import { openStoreAndDatabase } from './store-and-database.ts'

export interface TempStore {
  readonly store: Store
  readonly db: Database
  readonly url: string
  readonly folder: string
  /** Closes it (again is fine) and removes its files. */
  remove(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export async function tempStore(options: { now?: number } = {}): Promise<TempStore> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-store-'))
  const url = `file:${join(folder, 'tidings.db')}`
  const { store: opened, db } = await openStoreAndDatabase(url, options)
  let closing: Promise<void> | null = null
  const close = () => {
    closing ??= opened.close()
    return closing
  }
  const remove = async () => {
    await close()
    await rm(folder, { recursive: true, force: true })
  }
  return { store: { ...opened, close }, db, url, folder, remove, [Symbol.asyncDispose]: remove }
}
