// The tables that are moved, as the SQLite side describes them: one of the two sides always is SQLite. A table that
// refers to another one comes after it.
import type { Db } from '../database/db.ts'

export interface Table {
  readonly name: string
  /** The columns that both sides have. */
  readonly columns: readonly string[]
  /** The primary key, in its order. */
  readonly key: readonly string[]
}

/** Tables that are not moved, and why. */
export const NOT_MOVED: Readonly<Record<string, string>> = {
  schema_migrations: 'each side brings its own schema up to date',
  posts_text: 'the search index is made anew in the background',
  source_texts: 'triggers write it when sources are copied',
  source_numbers: 'triggers write it when sources are copied',
  podcast_counts: 'triggers count the rows that are copied',
  podcast_lanes: 'triggers count the sources that are copied',
}

const SHADOW_OF_INDEX = /^(posts_text|source_texts)_/

export async function tablesToMove(one: Db, other: Db): Promise<Table[]> {
  const [sqlite, postgres] = one.dialect.transfer.keys === null ? [other, one] : [one, other]
  const keys = await keysOf(sqlite)
  const known = Map.groupBy(await columnsOf(postgres), ({ table }) => table)
  const tables = [...Map.groupBy(await columnsOf(sqlite), ({ table }) => table)]
    .filter(([name]) => !Object.hasOwn(NOT_MOVED, name) && !name.startsWith('sqlite_') && !SHADOW_OF_INDEX.test(name))
    .map(([name, columns]) => {
      const there = new Set(known.get(name)?.map(({ column }) => column))
      if (there.size === 0) throw new Error(`PostgreSQL has no table ${name}`)
      return {
        name,
        columns: columns.map(({ column }) => column).filter((c) => there.has(c)),
        key: keys.get(name) ?? [],
      }
    })
  return parentsFirst(tables, await referencesOf(sqlite))
}

async function columnsOf(db: Db): Promise<{ table: string; column: string }[]> {
  const rows = await db.all(db.dialect.transfer.columns)
  return rows.map((row) => ({ table: String(row.table_name), column: String(row.column_name) }))
}

async function keysOf(sqlite: Db): Promise<Map<string, string[]>> {
  const rows = await sqlite.all(sqlite.dialect.transfer.keys?.primary ?? '')
  const byTable = Map.groupBy(rows, (row) => String(row.table_name))
  return new Map([...byTable].map(([name, columns]) => [name, columns.map((row) => String(row.column_name))]))
}

async function referencesOf(sqlite: Db): Promise<{ child: string; parent: string }[]> {
  const rows = await sqlite.all(sqlite.dialect.transfer.keys?.foreign ?? '')
  return rows.map((row) => ({ child: String(row.child), parent: String(row.parent) }))
}

function parentsFirst(tables: readonly Table[], references: readonly { child: string; parent: string }[]): Table[] {
  const ordered: Table[] = []
  const visit = (table: Table): void => {
    if (ordered.includes(table)) return
    for (const { child, parent } of references) {
      const found = child === table.name && parent !== child && tables.find(({ name }) => name === parent)
      if (found) visit(found)
    }
    ordered.push(table)
  }
  for (const table of tables) visit(table)
  return ordered
}
