// A real PgBouncer in transaction mode in front of a server, with the settings that docs/scaling.md names. It has to be
// installed: it is no dependency of Tidings.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

interface PgBouncerOptions {
  /** The program. */
  readonly program: string
  readonly port: number
  /** Knows no such setting in versions before 1.21: null leaves it out. */
  readonly maxPreparedStatements: number | null
}

export class PgBouncer {
  readonly url: string
  readonly #options: PgBouncerOptions
  readonly #folder: string
  #child: ChildProcess

  private constructor(url: string, folder: string, options: PgBouncerOptions) {
    this.url = url
    this.#folder = folder
    this.#options = options
    this.#child = this.#start()
  }

  static async inFrontOf(server: string, options: PgBouncerOptions): Promise<PgBouncer> {
    await setLimits(server)
    const folder = await mkdtemp(join(tmpdir(), 'tidings-pgbouncer-'))
    // It runs as another user.
    await chmod(folder, 0o755)
    await writeFile(join(folder, 'users.txt'), '"tidings" "tidings"\n')
    await writeFile(join(folder, 'pgbouncer.ini'), settings(new URL(server), folder, options))
    const url = new URL(server)
    url.port = String(options.port)
    const pooler = new PgBouncer(url.href, folder, options)
    await pooler.#isUp()
    return pooler
  }

  /** As a crash does: whatever is under way is lost. */
  async restart(): Promise<void> {
    await this.#end()
    this.#child = this.#start()
    await this.#isUp()
  }

  async stop(): Promise<void> {
    await this.#end()
    await rm(this.#folder, { recursive: true, force: true })
  }

  #start(): ChildProcess {
    // It refuses to run as root.
    const as = userInfo().uid === 0 ? ['-u', 'nobody'] : []
    return spawn(this.#options.program, [...as, '-q', join(this.#folder, 'pgbouncer.ini')], { stdio: 'ignore' })
  }

  async #end(): Promise<void> {
    this.#child.kill('SIGKILL')
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'exit')
  }

  async #isUp(): Promise<void> {
    for (let tried = 0; ; tried++) {
      const client = new pg.Client(this.url)
      client.on('error', () => {})
      try {
        await client.connect()
        return await client.end()
      } catch (error) {
        if (tried > 50) throw error
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }
  }
}

/** What the processes ask for when they connect, which the pooler does not pass on. */
async function setLimits(server: string): Promise<void> {
  const client = new pg.Client(server)
  await client.connect()
  await client.query(`ALTER ROLE tidings SET statement_timeout = '30s'`)
  await client.query(`ALTER ROLE tidings SET idle_in_transaction_session_timeout = '5s'`)
  await client.end()
}

function settings(server: URL, folder: string, { port, maxPreparedStatements }: PgBouncerOptions): string {
  return `[databases]
postgres = host=${server.hostname} port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
default_pool_size = 10
max_client_conn = 500
ignore_startup_parameters = statement_timeout, idle_in_transaction_session_timeout
${maxPreparedStatements === null ? '' : `max_prepared_statements = ${maxPreparedStatements}`}
`
}
