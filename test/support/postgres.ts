// A real PostgreSQL for the tests of one file: started before its first test, stopped and removed after its last.
// TIDINGS_TEST_POSTGRES names a server to use instead, as `npm test` does with the one it starts for all files (its user
// must be allowed to create databases).
import { after, before } from 'node:test'
import pg from 'pg'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

export interface Postgres {
  /** URL of an empty database of its own; `options` are those of CREATE DATABASE. */
  freshDatabase(options?: string): Promise<string>
}

/** To be called at the top of a test file. */
export function usePostgres(): Postgres {
  let opened: (Postgres & AsyncDisposable) | null = null
  before(async () => {
    opened = await openPostgres()
  })
  after(async () => {
    await opened?.[Symbol.asyncDispose]()
    opened = null
  })
  return {
    async freshDatabase(options) {
      if (!opened) throw new Error('PostgreSQL runs only while tests run')
      return opened.freshDatabase(options)
    },
  }
}

/** The same outside of tests. */
export async function openPostgres(): Promise<Postgres & AsyncDisposable> {
  const given = process.env.TIDINGS_TEST_POSTGRES
  const server: PostgresServer = given
    ? { url: given, restart: async () => {}, stop: async () => {} }
    : await startPostgres()
  const made: string[] = []
  return {
    async freshDatabase(options = '') {
      const name = `tidings_${process.pid}_${made.length}_${Math.trunc(performance.now())}`
      made.push(name)
      await asAdmin(server.url, `CREATE DATABASE ${name} ${options}`)
      const url = new URL(server.url)
      url.pathname = `/${name}`
      return url.href
    },
    async [Symbol.asyncDispose]() {
      // Somebody else's server is left as it was found.
      if (given) await dropAll(server.url, made)
      await server.stop()
    },
  }
}

async function asAdmin(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

async function dropAll(url: string, names: readonly string[]): Promise<void> {
  for (const name of names) await asAdmin(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
}
