// Polls and does nothing else: any number of them beside one or more `serve`, on the same PostgreSQL. Which of them
// visits a host is settled in the store (domain/host-lease.ts), so that none needs to know of the others.
import { randomBytes } from 'node:crypto'
import { Command } from 'commander'
import { databaseOf } from '../../config.ts'
import { createLog, redactText } from '../../log.ts'
import type { Cli } from '../cli.ts'
import type { World } from '../command-context.ts'
import { resolvedConfig } from '../connection/connect.ts'
import { badUsage } from '../failure.ts'
import { type CommonOptions, refuseServer, withStoreOptions } from '../options.ts'
import type { Output } from '../terminal/output.ts'
import { untilEnded } from './until-ended.ts'

export function workerCommand(cli: Cli): Command {
  return withStoreOptions(new Command('worker'))
    .description('only poll: as many as you like beside serve, on PostgreSQL')
    .addHelpText(
      'after',
      '\nExamples:\n  tidings worker --database postgres://tidings@db.example.org/tidings\n\nGive it the configuration of serve, the master key included.',
    )
    .action(cli.alone((output, options: CommonOptions) => work(cli.world, output, options)))
}

async function work(world: World, output: Output, options: CommonOptions): Promise<number> {
  refuseServer(options, 'worker')
  const { config } = resolvedConfig(world, options)
  const { url } = config.database
  if (databaseOf(url)?.engine !== 'postgres') {
    throw badUsage(
      `A worker needs PostgreSQL, and the store is ${redactText(url)}: only one process can poll on an SQLite file. Name a server with --database postgres://... (app.database.url), or run tidings serve.`,
    )
  }
  const log = createLog(config.log)
  const runToken = randomBytes(32).toString('base64url')
  const app = await world.openApp({ config, log, runToken })
  return untilEnded({ world, log, app }, async () => {
    await app.startPolling()
    const { version } = world
    output.answer(
      { version, database: redactText(url) },
      () => `Tidings ${version} polls what is due in ${redactText(url)}\nCtrl-C ends it.\n`,
    )
  })
}
