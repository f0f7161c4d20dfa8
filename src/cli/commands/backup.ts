// `backup`: copies an SQLite store into a new file, also while a `serve` uses it.
import { chmodSync, closeSync, existsSync, openSync, rmSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Command } from 'commander'
import { databaseOf } from '../../config.ts'
import type { Cli } from '../cli.ts'
import { resolvedConfig } from '../connection/connect.ts'
import { CliFailure } from '../failure.ts'
import { type CommonOptions, refuseServer, withStoreOptions } from '../options.ts'

const HELP = `
The copy is consistent, even while a serve runs. "tidings restore" puts it back.
Stored secrets can be read only with the master key of that time: keep a copy of master.key (or
app.encryption.master-key) too, in another place.`

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
        copy(from, file)
        const { size: bytes } = statSync(file)
        output.answer({ file, bytes }, () => `${typed}: ${bytes} bytes`)
      }),
    )
}

function copy(from: string, file: string): void {
  try {
    // Created first, so that only its owner can read it, and no existing file is replaced.
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).code === 'EEXIST'
    throw new CliFailure(exists ? `${file} exists already.` : `Cannot write ${file}: ${(error as Error).message}`)
  }
  let store: DatabaseSync | null = null
  try {
    store = new DatabaseSync(from, { readOnly: true, timeout: 10_000 })
    // VACUUM INTO reads in one transaction, so later writes of others are not in the copy.
    store.prepare('VACUUM INTO ?').run(file)
    chmodSync(file, 0o600)
  } catch (error) {
    // SQLite leaves its own files behind when it fails.
    for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
    throw new CliFailure(`The copy of ${from} failed: ${(error as Error).message}`)
  } finally {
    store?.close()
  }
}
