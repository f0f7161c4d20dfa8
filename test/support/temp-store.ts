// A store on a SQLite file of its own, for stories that need a real one.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '../../src/ports/store.ts'
import { openStore } from '../../src/storage/open-store.ts'

export interface TempStore {
  readonly store: Store
  readonly url: string
  readonly folder: string
  /** Closes it (again is fine) and removes its files. */
  remove(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export async function tempStore(options: { now?: number } = {}): Promise<TempStore> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-store-'))
  const url = `file:${join(folder, 'tidings.db')}`
  const opened = await openStore(url, options)
  let closing: Promise<void> | null = null
  const close = () => {
    closing ??= opened.close()
    return closing
  }
  const remove = async () => {
    await close()
    await rm(folder, { recursive: true, force: true })
  }
  return { store: { ...opened, close }, url, folder, remove, [Symbol.asyncDispose]: remove }
}
