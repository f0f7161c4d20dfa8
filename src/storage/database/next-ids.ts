// Ids of posts, articles and events increase in commit order: once an id is visible, no lower id appears later.
// On SQLite that follows from having one writer. A PostgreSQL sequence does not guarantee it: one transaction may take 7,
// another may take 8 and commit first. So the counter's row is locked from this UPDATE until the commit.
// Take ids late in a transaction, because others wait for them meanwhile. To avoid deadlocks, a transaction that needs
// several counters takes them in this order: posts, articles, events.
// See docs/decisions/0012-ids-in-commit-order.md
import type { Db } from './db.ts'

export async function nextIds(tx: Db, counter: 'posts' | 'articles' | 'events', count: number): Promise<number> {
  const row = await tx.get('UPDATE counters SET value = value + ? WHERE name = ? RETURNING value', [count, counter])
  return Number(row?.value) - count + 1
}
