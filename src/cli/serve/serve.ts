// `serve`: scheduler, API and dashboard in one process, until it is asked to stop. One per SQLite file. While it runs,
// serve.json tells other commands how to reach it.
import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { Command } from 'commander'
import { databaseOf } from '../../config.ts'
import { createLog } from '../../log.ts'
import type { Config } from '../../ports/config.ts'
import { readServeFile, removeServeFile, writeServeFile } from '../../store-lock/serve-file.ts'
import { type Lock, lockForServe } from '../../store-lock/store-lock.ts'
import type { Cli } from '../cli.ts'
import type { CommandContext, OpenedApp } from '../command-context.ts'
import { resolvedConfig } from '../connection/connect.ts'
import { CliFailure } from '../failure.ts'
import { type CommonOptions, refuseServer, withStoreOptions } from '../options.ts'
import type { Output } from '../terminal/output.ts'
import { startupNotice } from './startup-notice.ts'
import { runUntilEnded } from './until-ended.ts'

interface ServeOptions extends CommonOptions {
  readonly host?: string
  readonly port?: string
}

const LOCK_TIMEOUT_MS = 2000

export function serveCommand(cli: Cli): Command {
  return withStoreOptions(new Command('serve'))
    .description('run everything: scheduler, API and dashboard')
    .option('--host <host>', 'address to listen on (default: 127.0.0.1)')
    .option('--port <port>', 'port to listen on (default: 8085; 0 takes a free one)')
    .addHelpText('after', '\nExamples:\n  tidings serve\n  tidings serve --data /var/lib/tidings --port 9000')
    .action(cli.withoutClient((output, options: ServeOptions) => serve(cli.context, output, options)))
}

async function serve(context: CommandContext, output: Output, options: ServeOptions): Promise<number> {
  refuseServer(options, 'serve')
  const { config, origins: configOrigins } = resolvedConfig(context, options)
  const file = fileOf(config)
  const lock = file === null ? null : await lockOrRefuse(file, context)
  try {
    // A crashed `serve` may have left its file.
    if (file !== null) removeServeFile(file)
    const runToken = randomBytes(32).toString('base64url')
    const log = createLog(config.log)
    const app = await context.openApp({ config, configOrigins, log, runToken })
    return await runUntilEnded({ context, log, app }, async () => {
      const url = await listen(app, config)
      await app.start()
      if (file !== null) writeServeFile(file, { url: callableUrl(url), token: runToken, pid: context.pid })
      output.answer({ url, version: context.version }, () =>
        startupNotice({ url, config, version: context.version, options }),
      )
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

async function lockOrRefuse(file: string, context: CommandContext): Promise<Lock> {
  const giveUpAt = performance.now() + LOCK_TIMEOUT_MS
  for (;;) {
    const lock = lockForServe(file)
    if (lock) return lock
    // A command that is about to end releases the lock soon. A `serve` does not.
    const running = readServeFile(file)
    if (running || performance.now() > giveUpAt || context.ending.aborted) throw new CliFailure(refusal(file, running))
    await wait(50)
  }
}

function refusal(file: string, running: { url: string; pid: number } | null): string {
  if (!running)
    return `Another tidings command is using ${file}. Wait for it to end, or choose another folder with --data.`
  return `A tidings serve uses ${file} already: ${running.url}, process ${running.pid}. Use that one, stop it first, or choose another folder with --data.`
}

export async function listen(app: OpenedApp, { server }: Config): Promise<string> {
  try {
    return (await app.listen()).url
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new CliFailure(`Port ${server.port} of ${server.host} is taken. Choose another with --port.`)
    if (code === 'EACCES')
      throw new CliFailure(`Port ${server.port} may not be used by this user. Choose one above 1023 with --port.`)
    if (code === 'EADDRNOTAVAIL')
      throw new CliFailure(
        `${server.host} is not an address of this machine. Choose one with --host (app.server.host).`,
      )
    if (syscall === 'getaddrinfo')
      throw new CliFailure(
        `The name ${server.host} has no address (${code}). Choose an address or name of this machine with --host (app.server.host).`,
      )
    if (syscall === 'listen')
      throw new CliFailure(
        `Cannot listen on port ${server.port} of ${server.host}: ${message}. Choose others with --host and --port.`,
      )
    throw error
  }
}

/** 0.0.0.0 and :: mean all addresses; a client needs a real one. */
export function callableUrl(url: string): string {
  const parsed = new URL(url)
  if (parsed.hostname === '0.0.0.0') parsed.hostname = '127.0.0.1'
  if (parsed.hostname === '[::]') parsed.hostname = '[::1]'
  return parsed.origin
}
