// Ids of posts, articles and events. Who follows posts or events goes on after the last id it has read, so no id may
// appear later below one that was read.
// On SQLite that follows from having one writer. On PostgreSQL ids come from sequences: one transaction may take 7,
// another take 8 and commit first. A writer therefore holds a lock named after the newest id before its own, and readers
// that follow go no further than `settledId`: the lowest of these locks. Nobody waits for anybody.
// See docs/decisions/0151-settled-ids-instead-of-a-counter-row.md
import type { Db } from './db.ts'
import { prepared } from './prepared.ts'

export type IdKind = 'posts' | 'articles' | 'events'

/** In ascending order. They may have holes on PostgreSQL. */
export async function nextIds(tx: Db, kind: IdKind, count: number): Promise<number[]> {
  const { take, idsIn } = tx.dialect.ids
  const row = await tx.get(prepared(take), [kind, count])
  return row ? idsIn(row, count) : []
}

/** Every id up to this one is visible to the next statement, or never will be: read it before the rows. */
export async function settledId(db: Db, kind: Exclude<IdKind, 'articles'>): Promise<number> {
  return Number((await db.get(db.dialect.ids.settled, [kind]))?.id ?? 0)
}
