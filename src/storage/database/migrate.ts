// Brings the schema up to date. Migrations are numbered SQL files, one for each engine. Each runs in a transaction and
// under a lock, so that two processes that start together apply it once. A schema newer than the program is refused.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Database, Transaction } from './db.ts'

const LOCK_KEY = 7_236_117_001

export interface Migration {
  readonly version: number
  readonly name: string
  readonly sql: string
}

export class NewerSchema extends Error {
  readonly code = 'newer-schema'
  readonly found: number
  readonly known: number

  constructor(found: number, known: number) {
    super(
      `The database has schema version ${found}, this version of Tidings knows ${known}. ` +
        'Run the newer Tidings that wrote it, or restore a backup from before the upgrade.',
    )
    this.name = 'NewerSchema'
    this.found = found
    this.known = known
  }
}

export async function migrate(db: Database, migrations = readMigrations(db.dialect.engine)): Promise<number> {
  while (await db.transaction((tx) => applyNext(tx, migrations))) {
    // Each migration has a transaction of its own.
  }
  return migrations.length
}

async function applyNext(tx: Transaction, migrations: readonly Migration[]): Promise<boolean> {
  if (tx.dialect.engine === 'postgres') {
    // A migration of a large store may take longer than the ordinary statement timeout.
    await tx.script(`SET LOCAL statement_timeout = 0; SELECT pg_advisory_xact_lock(${LOCK_KEY})`)
  }
  await tx.script('CREATE TABLE IF NOT EXISTS schema_migrations (version BIGINT PRIMARY KEY, name TEXT NOT NULL)')
  const applied = Number((await tx.get('SELECT COALESCE(max(version), 0) AS version FROM schema_migrations'))?.version)
  if (applied > migrations.length) {
    throw new NewerSchema(applied, migrations.length)
  }
  const next = migrations[applied]
  if (!next) return false
  await tx.script(next.sql)
  await tx.run('INSERT INTO schema_migrations (version, name) VALUES (?, ?)', [next.version, next.name])
  return true
}

export function readMigrations(engine: 'sqlite' | 'postgres', folder = migrationsFolder()): Migration[] {
  const names = sqlFiles(join(folder, engine))
  const counterparts = sqlFiles(join(folder, engine === 'sqlite' ? 'postgres' : 'sqlite'))
  if (names.join() !== counterparts.join()) throw new Error(`Migrations are not in pairs: ${names} and ${counterparts}`)
  return names.map((name, index) => {
    const version = Number(name.slice(0, 4))
    if (version !== index + 1) throw new Error(`Migration ${name} should have the number ${index + 1}`)
    return { version, name, sql: readFileSync(join(folder, engine, name), 'utf8') }
  })
}

function sqlFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => /^\d{4}-.+\.sql$/.test(name))
    .sort()
}

/** The nearest folder `migrations` above this file, so that it is found from src/, dist/ and a bundle. */
function migrationsFolder(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'migrations', 'sqlite'))) return join(folder, 'migrations')
    if (folder === dirname(folder)) throw new Error('The folder migrations is missing from this installation')
  }
}
