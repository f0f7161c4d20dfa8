// Where a command sends its requests: to the server that is named, or to the `serve` that runs on the same SQLite file, or
// into this process. All three use the REST API, so that each command is written once.
// See docs/decisions/0003-commands-are-rest-clients.md
import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { databaseOf, loadConfig, type Resolved } from '../../config.ts'
import { hasCredentials, hideCredentials } from '../../domain/address.ts'
import { lazyLog } from '../../log.ts'
import { readServeFile } from '../../store-lock/serve-file.ts'
import { type Lock, lockForCommand } from '../../store-lock/store-lock.ts'
import type { CommandContext, OpenedApp } from '../command-context.ts'
import { badUsage, CliFailure } from '../failure.ts'
import type { CommonOptions } from '../options.ts'
import { inProcess, overHttp, type Transport } from './transport.ts'

export interface Connection {
  readonly transport: Transport
  /** Set if the product runs in this process. */
  readonly app: OpenedApp | null
  /** For people: where the answers come from. */
  readonly where: string
  close(): Promise<void>
}

const SERVE_START_MS = 5000
const CLOSE_MS = 2000

export async function connect(context: CommandContext, options: CommonOptions): Promise<Connection> {
  const server = namedServer(context, options)
  if (server !== undefined) {
    validateServerUrl(server)
    return remoteConnection(server, overHttp(server, context.env.TIDINGS_TOKEN, context.ending))
  }
  const resolved = resolvedConfig(context, options)
  const database = databaseOf(resolved.config.database.url)
  if (database?.engine !== 'sqlite' || database.path === ':memory:') return localConnection(context, resolved, null)
  const found = await lockOrFindServe(database.path)
  if ('release' in found) return localConnection(context, resolved, found)
  return remoteConnection(found.url, overHttp(found.url, found.token, context.ending))
}

function validateServerUrl(server: string): void {
  const url = URL.parse(server)
  const expected = '--server: expected a URL such as http://127.0.0.1:8085'
  if (!url) throw badUsage(`${expected}, got ${hideCredentials(server)}`)
  if (hasCredentials(url)) throw badUsage(`${expected}, without credentials: a token goes into TIDINGS_TOKEN`)
}

/** A store on the command line takes precedence over a server in the environment. */
export function namedServer(context: CommandContext, options: CommonOptions): string | undefined {
  if (options.server !== undefined) return options.server
  return options.data === undefined && options.database === undefined
    ? context.env.TIDINGS_SERVER || undefined
    : undefined
}

export function resolvedConfig(context: CommandContext, options: CommonOptions): Resolved {
  return loadConfig({ flags: options, env: context.env, cwd: context.cwd })
}

function remoteConnection(where: string, transport: Transport): Connection {
  return { transport, where, app: null, close: async () => {} }
}

async function localConnection(
  context: CommandContext,
  { config, origins }: Resolved,
  lock: Lock | null,
): Promise<Connection> {
  const runToken = randomBytes(32).toString('base64url')
  // A command prints its answer. By default its log shows errors only.
  const level = origins.get('app.log.level') === 'default' ? 'error' : config.log.level
  try {
    const log = lazyLog({ ...config.log, level })
    const forCommand = { isForCommand: true, sharesFile: lock !== null }
    const app = await context.openApp({ config, configOrigins: origins, log, runToken, ...forCommand })
    const close = async () => {
      await app.close(CLOSE_MS)
      lock?.release()
    }
    return { transport: inProcess(app, runToken, context.ending), app, where: 'the local store', close }
  } catch (error) {
    lock?.release()
    throw error
  }
}

async function lockOrFindServe(path: string): Promise<Lock | { url: string; token: string }> {
  const giveUpAt = performance.now() + SERVE_START_MS
  for (;;) {
    const lock = lockForCommand(path)
    if (lock) return lock
    const running = readServeFile(path)
    if (running) return running
    // A `serve` that is starting or stopping holds the lock, but has no serve.json.
    if (performance.now() > giveUpAt) {
      throw new CliFailure(
        `${path}.lock is locked, but no tidings serve says where it listens. One may be starting or hanging, or a program may use the library on this file: try again, or stop it.`,
      )
    }
    await wait(50)
  }
}
