// Rows in every table of an SQLite store, made from the schema alone: a table or column that is added later has rows too.
// They are no sensible data, but every value is different, so a mixed-up or forgotten one is found.
import type { Database, Param } from '../../src/storage/database/db.ts'
import { insertRows } from '../../src/storage/database/insert-rows.ts'
import { tablesToMove } from '../../src/storage/transfer/tables.ts'

export async function fillEveryTable(sqlite: Database, rowsPerTable: number): Promise<void> {
  for (const { name } of await tablesToMove(sqlite, sqlite)) {
    const columns = await sqlite.all(`SELECT name, type, "notnull" AS required FROM pragma_table_info('${name}')`)
    const references = await sqlite.all(`SELECT "from" AS name FROM pragma_foreign_key_list('${name}')`)
    const referring = new Set(references.map((row) => row.name))
    const row = (n: number): Param[] =>
      columns.map((column, index) => {
        // Rows of a table and those that refer to it have the same keys.
        if (referring.has(column.name) || /^(id|post_id|article_id)$/.test(String(column.name))) return keyOf(column, n)
        // Triggers keep this count; each post has one link here.
        if (name === 'posts' && column.name === 'links') return 0
        if (!column.required && n % 3 === 0) return null
        return exampleOf(String(column.type), `${name}.${column.name}`, n * 100 + index)
      })
    const rows = Array.from({ length: rowsPerTable }, (_, n) => row(n + 1))
    await sqlite.transaction((tx) =>
      insertRows(tx, { table: name, columns: columns.map((column) => String(column.name)), rows }),
    )
  }
}

function keyOf(column: Readonly<Record<string, unknown>>, n: number): Param {
  return column.type === 'TEXT' ? `id-${n}` : n
}

function exampleOf(type: string, where: string, n: number): Param {
  if (type === 'TEXT') return `${where} ${n} "ü€😀'\\\n\t%_?$1`
  if (type === 'REAL') return n + 0.25
  if (type === 'BLOB') return Uint8Array.from([0, 255, n % 256, 39, 92])
  // Instants and positions have more than 32 bits. PostgreSQL keeps flags and counts in fewer.
  return /(_at|_until|_since|before|position|_id|polled|bytes|value)$/.test(where) ? 1_800_000_000_000 + n : n % 30_000
}
