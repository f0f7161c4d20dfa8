// One property, both engines: a test body that is run once on SQLite and once on PostgreSQL, each time on a store of
// its own. To be called at the top of a test file.
import { test } from 'node:test'
import type { Store } from '../../src/ports/store.ts'
import type { Database } from '../../src/storage/database/db.ts'
import { openStore } from '../../src/storage/open-store.ts'
import { TEST_START } from './manual-clock.ts'
import { usePostgres } from './postgres.ts'
import { openStoreAndDatabase, type StoreAndDatabase } from './store-and-database.ts'
import { tempStore } from './temp-store.ts'

export interface Opened {
  readonly store: Store
  readonly db: Database
  /** A second store on the same data, as another process has it. Closed with the first. */
  again(): Promise<Store>
}

export type OnStore = (opened: Opened) => Promise<void>

export function useEngines(): (property: string, body: OnStore) => void {
  const postgres = usePostgres()
  return (property, body) => {
    test(`${property} (SQLite)`, async () => {
      await using temp = await tempStore({ now: TEST_START })
      await onStores(temp, temp.url, body)
    })
    test(`${property} (PostgreSQL)`, async () => {
      const url = await postgres.freshDatabase()
      const opened = await openStoreAndDatabase(url, { now: TEST_START })
      try {
        await onStores(opened, url, body)
      } finally {
        await opened.store.close()
      }
    })
  }
}

async function onStores({ store, db }: StoreAndDatabase, url: string, body: OnStore): Promise<void> {
  const others: Store[] = []
  try {
    await body({
      store,
      db,
      async again() {
        const other = await openStore(url, { now: TEST_START })
        others.push(other)
        return other
      },
    })
  } finally {
    await Promise.all(others.map((other) => other.close()))
  }
}
