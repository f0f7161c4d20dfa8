import type { Store } from '../../src/ports/store.ts'
import { openStore } from '../../src/storage/open-store.ts'
import { openStoreAndDatabase } from '../support/store-and-database.ts'
import { tempStore } from '../support/temp-store.ts'
import { crashContract } from './crash.ts'
import { NOW } from './fixtures.ts'
import { storeContract } from './store-contract.ts'

storeContract('SQLite file', async () => {
  const temp = await tempStore({ now: NOW - 1000 })
  const others: Store[] = []
  return {
    store: temp.store,
    db: temp.db,
    async again() {
      const other = await openStore(temp.url)
      others.push(other)
      return other
    },
    async close() {
      for (const other of others) await other.close()
      await temp.remove()
    },
  }
})

storeContract('SQLite in memory', async () => {
  const { store, db } = await openStoreAndDatabase('file::memory:', { now: NOW - 1000 })
  // There is no second process in memory: the same store stands in for it.
  return { store, db, again: async () => store, close: () => store.close() }
})

crashContract('SQLite', async () => {
  const { store, url, remove } = await tempStore()
  await store.close()
  return { url, remove, settled: async () => {} }
})
