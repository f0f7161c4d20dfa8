// Inserts many rows, in statements of a size that suits the engine.
import type { Db, Param } from './db.ts'

const CHARACTERS_PER_STATEMENT = 1_000_000

export interface Rows {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Param[])[]
  /** The ON CONFLICT clause. Without it a row that exists already is an error. */
  readonly onConflict?: string
  /** The clause that lets ids be set which the engine would generate. */
  readonly overriding?: string
  /** Where another number suits better than the usual one of the engine. */
  readonly rowsPerInsert?: number
}

/** Returns how many rows were inserted. */
export async function insertRows(db: Db, given: Rows): Promise<number> {
  const { table, columns, rows, onConflict = '', overriding = '', rowsPerInsert = db.dialect.rowsPerInsert } = given
  const tuple = `(${columns.map(() => '?').join(', ')})`
  let inserted = 0
  for (const some of statements(rows, rowsPerInsert)) {
    const tuples = new Array(some.length).fill(tuple).join(', ')
    const into = `${table} (${columns.join(', ')}) ${overriding}`
    inserted += await db.run(`INSERT INTO ${into} VALUES ${tuples} ${onConflict}`, some.flat())
  }
  return inserted
}

function* statements(rows: Rows['rows'], most: number): Generator<(readonly Param[])[]> {
  let some: (readonly Param[])[] = []
  let characters = 0
  for (const row of rows) {
    some.push(row)
    for (const value of row) characters += typeof value === 'string' || value instanceof Uint8Array ? value.length : 0
    if (some.length < most && characters < CHARACTERS_PER_STATEMENT) continue
    yield some
    some = []
    characters = 0
  }
  if (some.length > 0) yield some
}

/** Splits values into slices of at most `size`, so that no statement is long. */
export function* slices<T>(values: Iterable<T>, size: number): Generator<T[]> {
  let slice: T[] = []
  for (const value of values) {
    if (slice.push(value) < size) continue
    yield slice
    slice = []
  }
  if (slice.length > 0) yield slice
}
