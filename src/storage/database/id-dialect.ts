// How ids are taken on each engine: see next-ids.ts.

export interface IdDialect {
  /** Values: the kind, how many. */
  readonly take: string
  idsIn(row: Readonly<Record<string, unknown>>, count: number): number[]
  /** Value: the kind. */
  readonly settled: string
  /** The id of a new poll record in an INSERT: column and value, each with a comma. PostgreSQL generates it. */
  readonly ofPoll: { readonly column: string; readonly value: string }
  /** Runs before poll records are deleted that may be the newest ones. Null where ids come from a sequence. */
  readonly keepNewestPoll: string | null
}

/** There is one writer, so a counter row holds up nobody. */
export const sqliteIds: IdDialect = {
  take: 'UPDATE counters SET value = value + ?2 WHERE name = ?1 RETURNING value',
  idsIn: (row, count) => Array.from({ length: count }, (_, index) => Number(row.value) - count + 1 + index),
  settled: 'SELECT value AS id FROM counters WHERE name = ?',
  // Left to itself, SQLite gives the ids of deleted rows again when they were the newest. A counter that each poll writes
  // would cost more than one that only deleting writes.
  ofPoll: { column: 'id, ', value: `1 + ${newestPoll('(SELECT max(id) FROM polls)')}, ` },
  keepNewestPoll: `INSERT INTO counters (name, value) SELECT 'polls', max(id) FROM polls HAVING max(id) IS NOT NULL
    ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE excluded.value > value`,
}

/** On SQLite: the highest id that a poll record ever had. `newest`: of those that are there. */
export function newestPoll(newest: string): string {
  return `max(COALESCE(${newest}, 0), COALESCE((SELECT value FROM counters WHERE name = 'polls'), 0))`
}

/** The functions are part of the schema. */
export const postgresIds: IdDialect = {
  take: 'SELECT take_ids(?, ?) AS ids',
  idsIn: (row) => (row.ids as readonly string[]).map(Number),
  settled: 'SELECT settled_id(?) AS id',
  ofPoll: { column: '', value: '' },
  keepNewestPoll: null,
}
