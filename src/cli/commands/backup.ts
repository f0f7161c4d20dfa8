// `backup`: copies an SQLite store into a new file, also while a `serve` uses it.
import { once } from 'node:events'
import { chmodSync, closeSync, existsSync, openSync, rmSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { Command } from 'commander'
import { databaseOf } from '../../config.ts'
import type { Cli } from '../cli.ts'
import type { CommandContext } from '../command-context.ts'
import { resolvedConfig } from '../connection/connect.ts'
import { CliFailure } from '../failure.ts'
import { type CommonOptions, refuseServer, withStoreOptions } from '../options.ts'
import type { Output } from '../terminal/output.ts'
import { type Progress, progressOn } from '../terminal/progress.ts'

const HELP = `
The copy is consistent, even while a serve runs. "tidings restore" puts it back.
Stored secrets can be read only with the master key of that time: keep a copy of
master.key (or app.encryption.master-key) too, in another place.`

export function backupCommand(cli: Cli): Command {
  return withStoreOptions(new Command('backup'))
    .description('make a consistent copy of an SQLite store, also while it is in use')
    .argument('<file>', 'the file to write; must not exist')
    .addHelpText('after', HELP)
    .action(
      cli.withoutClient(async (output, options: CommonOptions, typed: string) => {
        refuseServer(options, 'backup')
        const { config } = resolvedConfig(cli.context, options)
        const database = databaseOf(config.database.url)
        if (database?.engine !== 'sqlite') throw new CliFailure('The store is PostgreSQL: back it up with pg_dump.')
        const from = resolve(cli.context.cwd, database.path)
        if (database.path === ':memory:' || !existsSync(from))
          throw new CliFailure(`There is no store at ${database.path}.`)
        const file = resolve(cli.context.cwd, typed)
        await copy(cli.context, output, from, file)
        const { size: bytes } = statSync(file)
        output.answer({ file, bytes }, () => `${typed}: ${bytes} bytes`)
      }),
    )
}

async function copy(context: CommandContext, output: Output, from: string, file: string): Promise<void> {
  try {
    // Created first, so that only its owner can read it, and no existing file is replaced.
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).code === 'EEXIST'
    throw new CliFailure(
      exists
        ? `${file} exists already: choose another name, or remove it first.`
        : `Cannot write ${file}: ${(error as Error).message}`,
    )
  }
  try {
    await vacuumInto(context, output, from, file)
    chmodSync(file, 0o600)
  } catch (error) {
    // SQLite leaves its own files behind when it fails.
    for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
    throw new CliFailure(`The copy of ${from} failed: ${(error as Error).message}`)
  }
}

// VACUUM INTO reads in one transaction, so later writes of others are not in the copy. It is one long statement, so
// another thread runs it, and this one looks at how large the copy is by now.
const WORKER = `
  const { parentPort, workerData } = require('node:worker_threads')
  const { DatabaseSync } = require('node:sqlite')
  const store = new DatabaseSync(workerData.from, { readOnly: true, timeout: 10_000 })
  const one = (sql) => Object.values(store.prepare(sql).get())[0]
  parentPort.postMessage((one('PRAGMA page_count') - one('PRAGMA freelist_count')) * one('PRAGMA page_size'))
  store.prepare('VACUUM INTO ?').run(workerData.file)
  store.close()
`
const LOOK_EVERY_MS = 200
const MEGABYTE = 1_000_000

async function vacuumInto(context: CommandContext, output: Output, from: string, file: string): Promise<void> {
  const worker = new Worker(WORKER, { eval: true, workerData: { from, file } })
  const shown: { progress?: Progress } = {}
  worker.once('message', (bytes: number) => {
    const total = Math.round(bytes / MEGABYTE)
    shown.progress = progressOn(context.stderr, { total, done: 'MB copied', quiet: output.isJson, now: context.now })
  })
  const sizeNow = () => Math.round((statSync(file, { throwIfNoEntry: false })?.size ?? 0) / MEGABYTE)
  const looking = setInterval(() => shown.progress?.reach(sizeNow()), LOOK_EVERY_MS)
  const interrupt = () => void worker.terminate()
  context.ending.addEventListener('abort', interrupt)
  try {
    // Rejects with the error that the thread threw.
    await once(worker, 'exit')
    if (context.ending.aborted) throw new Error('it was interrupted')
  } finally {
    clearInterval(looking)
    context.ending.removeEventListener('abort', interrupt)
    shown.progress?.end()
  }
}
