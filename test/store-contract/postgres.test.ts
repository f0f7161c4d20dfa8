import type { Store } from '../../src/ports/store.ts'
import { openStore } from '../../src/storage/open-store.ts'
import { usePostgres } from '../support/postgres.ts'
import { NOW } from './fixtures.ts'
import { storeContract } from './store-contract.ts'

const postgres = usePostgres()

storeContract('PostgreSQL', async () => {
  const url = await postgres.freshDatabase()
  const stores: Store[] = []
  const open = async () => {
    const store = await openStore(url, { now: NOW - 1000 })
    stores.push(store)
    return store
  }
  return {
    store: await open(),
    again: open,
    async close() {
      for (const store of stores) await store.close()
    },
  }
})
