import type { CleanedUp, CleanUpLimits } from '../ports/store.ts'
import type { Database } from './db.ts'
import { purge } from './remove.ts'

export async function cleanUp(db: Database, limits: CleanUpLimits): Promise<CleanedUp> {
  const purged = await purge(db, limits.batch)
  return { articles: 0, posts: 0, polls: 0, events: 0, done: purged < limits.batch }
}
