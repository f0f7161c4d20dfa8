// Ids of posts, articles and events go up in commit order, and a reader that has seen an id will never meet a lower
// new one. On SQLite one writer gives that for nothing. On PostgreSQL a sequence would not: a transaction can take 7,
// another take 8 and commit first. The counter's row is locked from this UPDATE until the commit, so whoever takes
// the next ids does so when these are visible or given up. Take them late: others wait meanwhile. Transactions that
// need several counters take them in this order: posts, articles, events.
import type { Db } from './db.ts'

export async function nextIds(tx: Db, counter: 'posts' | 'articles' | 'events', count: number): Promise<number> {
  const row = await tx.get('UPDATE counters SET value = value + ? WHERE name = ? RETURNING value', [count, counter])
  return Number(row?.value) - count + 1
}
