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
The copy is consistent and may be made while a serve runs. To go back to it, stop tidings, remove the files beside the
database file that have its name and -wal or -shm behind it (a crash leaves them, and they would undo the copy), and put
the copy in its place. Stored secrets open only with the master key of that time: keep master.key (or
app.encryption.master-key) as well, somewhere else.`

export function backupCommand(cli: Cli): Command {
  return withStoreOptions(new Command('backup'))
    .description('a consistent copy of a running SQLite store')
    .argument('<file>', 'where to; must not exist')
    .addHelpText('after', HELP)
    .action(
      cli.alone(async (output, options: CommonOptions, typed: string) => {
        refuseServer(options, 'backup')
        const { config } = resolvedConfig(cli.world, options)
        const database = databaseOf(config.database.url)
        if (database?.engine !== 'sqlite') throw new CliFailure('The store is PostgreSQL: back it up with pg_dump.')
        const from = resolve(cli.world.cwd, database.path)
        if (database.path === ':memory:' || !existsSync(from))
          throw new CliFailure(`There is no store at ${database.path}.`)
        const file = resolve(cli.world.cwd, typed)
        copy(from, file)
        const { size: bytes } = statSync(file)
        output.answer({ file, bytes }, () => `${typed}: ${bytes} bytes`)
      }),
    )
}

function copy(from: string, file: string): void {
  try {
    // Made first, so that it is its owner's from the beginning and never replaces anything.
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).code === 'EEXIST'
    throw new CliFailure(exists ? `${file} exists already.` : `Cannot write ${file}: ${(error as Error).message}`)
  }
  let store: DatabaseSync | null = null
  try {
    store = new DatabaseSync(from, { readOnly: true, timeout: 10_000 })
    // One read transaction: what others write meanwhile is not in it, in part or as a whole.
    store.prepare('VACUUM INTO ?').run(file)
    chmodSync(file, 0o600)
  } catch (error) {
    rmSync(file, { force: true })
    throw new CliFailure(`The copy of ${from} failed: ${(error as Error).message}`)
  } finally {
    store?.close()
  }
}
