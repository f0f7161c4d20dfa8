// Where a command goes: to the server that was named; else to the `serve` that works on the same SQLite file; else into
// this process. All three speak REST, so no command is written twice.

import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { databaseOf, loadConfig, type Resolved } from '../../config.ts'
import { hasCredentials, hideCredentials } from '../../domain/address.ts'
import { createLog } from '../../log.ts'
import type { OpenedApp, World } from '../command-context.ts'
import { badUsage, CliFailure } from '../failure.ts'
import type { CommonOptions } from '../options.ts'
import { type Lock, lockForCommand } from '../serve/serve-lock.ts'
import { readServeFile } from '../serve/serve-state-file.ts'
import { inProcess, overHttp, type Transport } from './transport.ts'

export interface Connection {
  readonly transport: Transport
  /** Set when the product runs in this process. */
  readonly app: OpenedApp | null
  /** In words, for people. */
  readonly where: string
  close(): Promise<void>
}

const STARTING_MS = 5000
const CLOSE_MS = 2000

export async function connect(world: World, options: CommonOptions): Promise<Connection> {
  const server = serverOf(world, options)
  if (server !== undefined) {
    refuseUnusable(server)
    return remote(server, overHttp(server, world.env.TIDINGS_TOKEN, world.ending))
  }
  const resolved = resolvedConfig(world, options)
  const database = databaseOf(resolved.config.database.url)
  if (database?.engine !== 'sqlite' || database.path === ':memory:') return local(world, resolved, null)
  const found = await lockOrServe(database.path)
  if ('release' in found) return local(world, resolved, found)
  return remote(found.url, overHttp(found.url, found.token, world.ending))
}

function refuseUnusable(server: string): void {
  const url = URL.parse(server)
  const expected = '--server: expected a URL such as http://127.0.0.1:8085'
  if (!url) throw badUsage(`${expected}, got ${hideCredentials(server)}`)
  if (hasCredentials(url)) throw badUsage(`${expected}, without credentials: a token goes into TIDINGS_TOKEN`)
}

/** A store named on the command line beats a server named by the environment. */
export function serverOf(world: World, options: CommonOptions): string | undefined {
  if (options.server !== undefined) return options.server
  return options.data === undefined && options.database === undefined
    ? world.env.TIDINGS_SERVER || undefined
    : undefined
}

export function resolvedConfig(world: World, options: CommonOptions): Resolved {
  return loadConfig({ flags: options, env: world.env, cwd: world.cwd })
}

function remote(where: string, transport: Transport): Connection {
  return { transport, where, app: null, close: async () => {} }
}

async function local(world: World, { config, origins }: Resolved, lock: Lock | null): Promise<Connection> {
  const runToken = randomBytes(32).toString('base64url')
  // A command's own answer is what counts; its log is for when something goes wrong, unless asked for.
  const level = origins.get('app.log.level') === 'default' ? 'error' : config.log.level
  try {
    const log = createLog({ ...config.log, level })
    const app = await world.openApp({ config, log, runToken, sharesFile: lock !== null })
    const close = async () => {
      await app.close(CLOSE_MS)
      lock?.release()
    }
    return { transport: inProcess(app, runToken, world.ending), app, where: 'the local store', close }
  } catch (error) {
    lock?.release()
    throw error
  }
}

async function lockOrServe(path: string): Promise<Lock | { url: string; token: string }> {
  const giveUpAt = performance.now() + STARTING_MS
  for (;;) {
    const lock = lockForCommand(path)
    if (lock) return lock
    const running = readServeFile(path)
    if (running) return running
    // A `serve` that is just starting or ending holds the lock without serve.json.
    if (performance.now() > giveUpAt) {
      throw new CliFailure(
        `Something holds ${path}.lock but says not where it listens: is a tidings serve starting or hanging?`,
      )
    }
    await wait(50)
  }
}
