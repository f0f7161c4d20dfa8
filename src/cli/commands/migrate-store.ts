// `migrate-store`: copies a store from SQLite to PostgreSQL or back. It can be interrupted and run again.
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Command } from 'commander'
import { databaseOf } from '../../config.ts'
import { createLog, redactText } from '../../log.ts'
import type { TransferProgress } from '../../ports/store-transfer.ts'
import type { Lock } from '../../store-lock/store-lock.ts'
import type { Cli } from '../cli.ts'
import type { CommandContext, MigratedStore } from '../command-context.ts'
import { resolvedConfig } from '../connection/connect.ts'
import { lockOrRefuse } from '../connection/lock-store.ts'
import { badUsage, CliFailure, INTERRUPTED } from '../failure.ts'
import { type CommonOptions, refuseServer, withStoreOptions } from '../options.ts'
import type { Output } from '../terminal/output.ts'
import { type Progress, progressOn } from '../terminal/progress.ts'

interface MigrateOptions extends CommonOptions {
  readonly from?: string
  readonly to?: string
}

const HELP = `
Stop every serve and worker of both stores first. The target must be empty; the
source stays as it is. If the copy is interrupted, run the same command again:
it goes on where it ended. At the end both sides are read and compared. Secrets
move as they are. They need the same master key as before.

Examples:
  tidings migrate-store --from file:./data/tidings.db \\
    --to postgres://tidings@localhost/tidings
  tidings migrate-store --from postgres://tidings@localhost/tidings \\
    --to file:./data/tidings.db`

export function migrateStoreCommand(cli: Cli): Command {
  return withStoreOptions(new Command('migrate-store'))
    .description('copy a store from SQLite to PostgreSQL or back, with all that is in it, and verify the copy')
    .option('--from <url>', 'the store to copy: file:PATH or postgres://...')
    .option('--to <url>', 'the empty store to fill: file:PATH or postgres://...')
    .addHelpText('after', HELP)
    .action(
      cli.withoutClient(async (output, options: MigrateOptions) => {
        refuseServer(options, 'migrate-store', '--from and --to name the stores')
        const { context } = cli
        const { config } = resolvedConfig(context, options)
        const { from, to, file } = sidesOf(context, options)
        const lock: Lock = lockOrRefuse(file, 'run this again')
        try {
          const progress = phases(context, output)
          const log = createLog({ ...config.log, level: 'silent' })
          const { ending } = context
          const { masterKey } = config.encryption
          const moved = await context
            .migrateStore({ from, to, masterKey, log, ending, onProgress: progress.show })
            .finally(progress.end)
          return report(output, moved, { from, to, keyFile: join(dirname(file), 'master.key') })
        } finally {
          lock.release()
        }
      }),
    )
}

interface StoreNames {
  readonly from: string
  readonly to: string
}

/** The two URLs, with the path of the SQLite file made absolute. */
function sidesOf(context: CommandContext, { from: source, to: target }: MigrateOptions): StoreNames & { file: string } {
  // Not an option that commander requires: it would miss the typing error --form.
  if (source === undefined || target === undefined) throw badUsage('Name both stores: --from URL --to URL.')
  const [from, to] = [databaseOf(source), databaseOf(target)]
  for (const [option, database] of Object.entries({ from, to })) {
    const expected = `--${option}: expected file:PATH or postgres://...`
    if (!database) throw badUsage(`${expected}, got ${redactText(option === 'from' ? source : target)}`)
    if (database.engine === 'sqlite' && database.path === ':memory:') throw badUsage(expected)
  }
  if (from?.engine === 'sqlite' && to?.engine === 'postgres') {
    const file = resolve(context.cwd, from.path)
    if (!existsSync(file)) throw new CliFailure(`There is no store at ${from.path}.`)
    return { from: `file:${file}`, to: target, file }
  }
  if (from?.engine === 'postgres' && to?.engine === 'sqlite') {
    const file = resolve(context.cwd, to.path)
    return { from: source, to: `file:${file}`, file }
  }
  const remedy =
    from?.engine === 'sqlite' ? '"tidings backup" and "tidings restore" copy' : 'pg_dump and pg_restore copy'
  throw badUsage(`--from and --to are on the same engine: ${remedy} such a store.`)
}

function phases(context: CommandContext, output: Output) {
  let shown: { phase: TransferProgress['phase']; progress: Progress } | null = null
  const end = () => {
    shown?.progress.end()
    shown = null
  }
  return {
    end,
    show({ phase, done, total }: TransferProgress): void {
      if (shown?.phase !== phase) {
        end()
        const work = {
          total,
          already: done,
          done: `rows ${phase}`,
          quiet: output.isJson,
          lines: true,
          now: context.now,
        }
        shown = { phase, progress: progressOn(context.stderr, work) }
      }
      shown.progress.reach(done)
    },
  }
}

function report(output: Output, moved: MigratedStore, names: StoreNames & { readonly keyFile: string }): number {
  if (moved.kind === 'interrupted') {
    output.note(`Interrupted: ${moved.done} of ${moved.total} rows copied. Run the same command again to go on.`)
    return INTERRUPTED
  }
  const { tables, began, secrets } = moved
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const [from, to] = [redactText(names.from), redactText(names.to)]
  output.answer({ from, to, rows, began, tables, secrets, verified: true }, () =>
    [
      ...(began === 'again'
        ? ['The source had changed since the unfinished copy, so everything was copied anew.']
        : []),
      ...tables.map(
        (table) => `${table.table.padEnd(16)}${String(table.rows).padStart(10)}  ${table.checksum.slice(0, 16)}`,
      ),
      `${rows} rows in ${tables.length} tables are the same in ${from} and ${to}.`,
      ...secretsText(moved.secrets, names),
      `From now on use: --database ${to}`,
    ].join('\n'),
  )
  return 0
}

/** What has to be done so that the secrets can be read in the new place. */
function secretsText(
  { total, readable, key }: MigratedStore['secrets'],
  { to, keyFile }: StoreNames & { keyFile: string },
) {
  if (total === 0) return []
  const lost = total - readable
  const missing = `Attention: the master key of ${lost} of ${total} secrets is missing here. They were moved as they are: set app.encryption.master-key to the key that encrypted them, or store them again.`
  const isFile = databaseOf(to)?.engine === 'sqlite'
  const kept = isFile
    ? `${readable} secrets need the same master key as before: keep app.encryption.master-key, or put the key into ${keyFile}.`
    : key === 'file'
      ? `${readable} secrets need the master key that is in ${keyFile}: set app.encryption.master-key (APP_ENCRYPTION_MASTER_KEY) to what is in it.`
      : `${readable} secrets need the same master key as before: keep app.encryption.master-key.`
  return [...(readable > 0 ? [kept] : []), ...(lost > 0 ? [missing] : [])]
}
