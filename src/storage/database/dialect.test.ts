import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { postgresDialect } from './dialect.ts'

test('placeholders are numbered for PostgreSQL', () => {
  assert.equal(postgresDialect.statement('SELECT ? + ?'), 'SELECT $1 + $2')
})

test('only dialect.ts and migrate.ts name an engine', () => {
  const folder = new URL('../', import.meta.url)
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = all.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const naming = files.filter((name) => /'postgres'|'sqlite'/.test(readFileSync(new URL(name, folder), 'utf8')))
  // migrate.ts takes the lock that only one of them has, and picks the folder.
  assert.deepEqual(naming.toSorted(), ['database/dialect.ts', 'database/migrate.ts'])
})
