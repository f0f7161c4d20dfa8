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
  let server: PostgresServer | null = null
  const made: string[] = []
  before(async () => {
    const given = process.env.TIDINGS_TEST_POSTGRES
    server = given ? { url: given, stop: async () => {} } : await startPostgres()
  })
  after(async () => {
    // Somebody else's server is left as it was found.
    if (server && process.env.TIDINGS_TEST_POSTGRES) await dropAll(server.url, made)
    await server?.stop()
    server = null
  })
  return {
    async freshDatabase(options = '') {
      if (!server) throw new Error('PostgreSQL runs only while tests run')
      const name = `tidings_${process.pid}_${made.length}_${Math.trunc(performance.now())}`
      made.push(name)
      await asAdmin(server.url, `CREATE DATABASE ${name} ${options}`)
      const url = new URL(server.url)
      url.pathname = `/${name}`
      return url.href
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
