// `worker`: only polls. Any number of workers run beside one or more `serve` on the same PostgreSQL. Leases in the store
// decide which of them visits a host (domain/host-lease.ts), so that none needs to know of the others.
import { randomBytes } from 'node:crypto'
import { Command } from 'commander'
import { databaseOf } from '../../config.ts'
import { createLog, redactText } from '../../log.ts'
import type { Cli } from '../cli.ts'
import type { CommandContext } from '../command-context.ts'
import { resolvedConfig } from '../connection/connect.ts'
import { badUsage } from '../failure.ts'
import { type CommonOptions, refuseServer, withStoreOptions } from '../options.ts'
import type { Output } from '../terminal/output.ts'
import { listen } from './serve.ts'
import { runUntilEnded } from './until-ended.ts'

interface WorkerOptions extends CommonOptions {
  readonly host?: string
  readonly port?: string
}

export function workerCommand(cli: Cli): Command {
  return withStoreOptions(new Command('worker'))
    .description('only poll; any number of workers may run beside serve, on PostgreSQL')
    .option('--host <host>', 'address to listen on with --port (default: 127.0.0.1)')
    .option('--port <port>', 'serve /healthz, /readyz and /metrics on this port (0 takes a free one)')
    .addHelpText(
      'after',
      '\nExamples:\n  tidings worker --database postgres://tidings@db.example.org/tidings\n\nUse the configuration of serve, with the same master key.',
    )
    .action(cli.withoutClient((output, options: WorkerOptions) => work(cli.context, output, options)))
}

async function work(context: CommandContext, output: Output, options: WorkerOptions): Promise<number> {
  refuseServer(options, 'worker')
  const { config } = resolvedConfig(context, options)
  const { url } = config.database
  if (databaseOf(url)?.engine !== 'postgres') {
    throw badUsage(
      `A worker needs PostgreSQL, and the store is ${redactText(url)}: only one process can poll on an SQLite file. Set a server with --database postgres://... (app.database.url), or run tidings serve.`,
    )
  }
  const log = createLog(config.log)
  const runToken = randomBytes(32).toString('base64url')
  const app = await context.openApp({ config, log, runToken, probesOnly: true })
  return runUntilEnded({ context, log, app }, async () => {
    const probes = options.port === undefined ? null : await listen(app, config)
    await app.startPolling()
    const { version } = context
    output.answer(
      { version, database: redactText(url), ...(probes && { url: probes }) },
      () =>
        `Tidings ${version} polls what is due in ${redactText(url)}\n${probes ? `Health and metrics: ${probes}/healthz, /readyz, /metrics\n` : ''}Ctrl-C ends it.\n`,
    )
  })
}
