// Ids that were given out after a backup are never given out again: programs that follow posts, events or polls go on
// after the last one they have seen, and would miss whatever gets an id that they have passed.
// See docs/decisions/0190-no-id-is-given-twice.md
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

const KINDS = ['posts', 'articles', 'events', 'polls'] as const
type NewestIds = Readonly<Record<(typeof KINDS)[number], number>>

/** Where the store that lived on after the backup is gone, nobody knows how many ids it gave out. */
const LEAP = 100_000

/** `restored`: the copy of the backup. `before`: the store whose place it takes, if there is one. */
export function goOnAfterIdsOf(restored: string, before: string): void {
  using draft = new DatabaseSync(restored)
  const own = newestIdsIn(draft)
  const given = newestIdsAt(before, identityOf(draft))
  for (const kind of KINDS) {
    const newest = given ? Math.max(own[kind], given[kind]) : own[kind] + LEAP
    if (newest === own[kind]) continue
    setCounter(draft, kind, newest)
    // Listeners that have passed the backup learn that they have missed events.
    if (kind === 'events') setCounter(draft, 'removed-events', newest)
  }
}

/** Null: it is not there, cannot be read, or is not the store that the backup was made of. */
function newestIdsAt(path: string, identity: string): NewestIds | null {
  if (!existsSync(path)) return null
  try {
    using store = new DatabaseSync(path, { readOnly: true })
    return identityOf(store) === identity ? newestIdsIn(store) : null
  } catch {
    return null
  }
}

function newestIdsIn(store: DatabaseSync): NewestIds {
  const counter = store.prepare('SELECT value FROM counters WHERE name = ?')
  const newest = KINDS.map((kind) => {
    const highest = store.prepare(`SELECT max(id) AS id FROM ${kind}`).get()?.id
    return [kind, Math.max(Number(counter.get(kind)?.value ?? 0), Number(highest ?? 0))]
  })
  return Object.fromEntries(newest)
}

/** The moment in which a store was made is its own. */
function identityOf(store: DatabaseSync): string {
  const made = store.prepare(`SELECT created_at FROM users WHERE id = 'default'
    UNION ALL SELECT created_at FROM podcasts WHERE id = 'default'`)
  return JSON.stringify(made.all())
}

function setCounter(store: DatabaseSync, name: string, value: number): void {
  store
    .prepare('INSERT INTO counters (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value')
    .run(name, value)
}
