// How ids are taken on each engine: see next-ids.ts.

export interface IdDialect {
  /** Values: the kind, how many. */
  readonly take: string
  idsIn(row: Readonly<Record<string, unknown>>, count: number): number[]
  /** Value: the kind. */
  readonly settled: string
}

/** There is one writer, so a counter row holds up nobody. */
export const sqliteIds: IdDialect = {
  take: 'UPDATE counters SET value = value + ?2 WHERE name = ?1 RETURNING value',
  idsIn: (row, count) => Array.from({ length: count }, (_, index) => Number(row.value) - count + 1 + index),
  settled: 'SELECT value AS id FROM counters WHERE name = ?',
}

/** The functions are part of the schema. */
export const postgresIds: IdDialect = {
  take: 'SELECT take_ids(?, ?) AS ids',
  idsIn: (row) => (row.ids as readonly string[]).map(Number),
  settled: 'SELECT settled_id(?) AS id',
}
