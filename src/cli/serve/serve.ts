// The long-running command: scheduler, API and dashboard in one process, until it is asked to end. One per SQLite file;
// while it runs, serve.json tells other commands how to reach it.
import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { Command } from 'commander'
import { databaseOf } from '../../config.ts'
import { createLog } from '../../log.ts'
import type { Config } from '../../ports/config.ts'
import type { Cli } from '../cli.ts'
import type { OpenedApp, World } from '../command-context.ts'
import { resolvedConfig } from '../connection/connect.ts'
import { CliFailure } from '../failure.ts'
import { type CommonOptions, refuseServer, withStoreOptions } from '../options.ts'
import type { Output } from '../terminal/output.ts'
import { type Lock, lockForServe } from './serve-lock.ts'
import { readServeFile, removeServeFile, writeServeFile } from './serve-state-file.ts'
import { greeting } from './startup-notice.ts'
import { untilEnded } from './until-ended.ts'

interface ServeOptions extends CommonOptions {
  readonly host?: string
  readonly port?: string
}

const LOCK_PATIENCE_MS = 2000

export function serveCommand(cli: Cli): Command {
  return withStoreOptions(new Command('serve'))
    .description('run everything: scheduler, API and dashboard')
    .option('--host <host>', 'where to listen (default: 127.0.0.1)')
    .option('--port <port>', 'on which port (default: 8085; 0 takes a free one)')
    .addHelpText('after', '\nExamples:\n  tidings serve\n  tidings serve --data /var/lib/tidings --port 9000')
    .action(cli.alone((output, options: ServeOptions) => serve(cli.world, output, options)))
}

async function serve(world: World, output: Output, options: ServeOptions): Promise<number> {
  refuseServer(options, 'serve')
  const { config } = resolvedConfig(world, options)
  const file = fileOf(config)
  const lock = file === null ? null : await lockOrRefuse(file, world)
  try {
    // Of a life that ended without cleaning up.
    if (file !== null) removeServeFile(file)
    const runToken = randomBytes(32).toString('base64url')
    const log = createLog(config.log)
    const app = await world.openApp({ config, log, runToken })
    return await untilEnded({ world, log, app }, async () => {
      const url = await listen(app, config)
      await app.start()
      if (file !== null) writeServeFile(file, { url: reachable(url), token: runToken, pid: world.pid })
      output.answer({ url, version: world.version }, () => greeting({ url, config, version: world.version }))
    })
  } finally {
    if (file !== null) removeServeFile(file)
    lock?.release()
  }
}

function fileOf(config: Config): string | null {
  const database = databaseOf(config.database.url)
  return database?.engine === 'sqlite' && database.path !== ':memory:' ? database.path : null
}

async function lockOrRefuse(file: string, world: World): Promise<Lock> {
  const giveUpAt = performance.now() + LOCK_PATIENCE_MS
  for (;;) {
    const lock = lockForServe(file)
    if (lock) return lock
    // A command that is just ending lets go in a moment; a `serve` does not.
    const running = readServeFile(file)
    if (running || performance.now() > giveUpAt || world.ending.aborted) throw new CliFailure(refusal(file, running))
    await wait(50)
  }
}

function refusal(file: string, running: { url: string; pid: number } | null): string {
  if (!running) return `Another tidings works on ${file}. Wait for it to end, or give this one its own --data.`
  return `A tidings serve works on ${file} already: ${running.url}, process ${running.pid}. Use that one, stop it first, or give this one its own --data.`
}

async function listen(app: OpenedApp, { server }: Config): Promise<string> {
  try {
    return (await app.listen()).url
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new CliFailure(`Port ${server.port} of ${server.host} is taken. Give another with --port.`)
    if (code === 'EACCES') throw new CliFailure(`Port ${server.port} may not be used. Give one above 1023 with --port.`)
    if (code === 'EADDRNOTAVAIL')
      throw new CliFailure(`${server.host} is no address of this machine. Give one with --host (app.server.host).`)
    if (syscall === 'getaddrinfo')
      throw new CliFailure(
        `The name ${server.host} has no address (${code}). Give an address or name of this machine with --host (app.server.host).`,
      )
    if (syscall === 'listen')
      throw new CliFailure(
        `Cannot listen on port ${server.port} of ${server.host}: ${message}. Give others with --host and --port.`,
      )
    throw error
  }
}

/** Listening everywhere is not an address to call. */
export function reachable(url: string): string {
  const parsed = new URL(url)
  if (parsed.hostname === '0.0.0.0') parsed.hostname = '127.0.0.1'
  if (parsed.hostname === '[::]') parsed.hostname = '[::1]'
  return parsed.origin
}
