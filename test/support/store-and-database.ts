// A store together with its database, for tests that write or read rows which no verb of the store does.
import type { Article } from '../../src/domain/article.ts'
import { BUILT_IN_TYPES } from '../../src/domain/built-in-types.ts'
import type { Store } from '../../src/ports/store.ts'
import { insertArticles } from '../../src/storage/articles/articles.ts'
import type { Database } from '../../src/storage/database/db.ts'
import { openMigratedDatabase } from '../../src/storage/open-store.ts'
import { createStore } from '../../src/storage/store.ts'

export interface StoreAndDatabase {
  readonly store: Store
  /** Closed with the store. */
  readonly db: Database
}

export async function openStoreAndDatabase(url: string, options: { now?: number } = {}): Promise<StoreAndDatabase> {
  const { db, schemaVersion } = await openMigratedDatabase(url, options)
  return { db, store: createStore(db, schemaVersion, BUILT_IN_TYPES) }
}

/** Articles as they are given, with their links to posts: aggregation makes such rows by its own rules only. */
export function addArticles(db: Database, articles: readonly Omit<Article, 'id'>[]): Promise<readonly Article[]> {
  return db.transaction((tx) => insertArticles(tx, articles))
}
