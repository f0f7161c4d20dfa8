// `restore`: puts a backup in the place of an SQLite store. The backup is copied and opened as a store before anything is
// replaced, and what was there before is kept beside it.
import { randomBytes } from 'node:crypto'
import { chmodSync, constants, copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Command } from 'commander'
import { databaseOf } from '../../config.ts'
import { createLog } from '../../log.ts'
import { realPathOf } from '../../store-lock/store-lock.ts'
import type { Cli } from '../cli.ts'
import { resolvedConfig } from '../connection/connect.ts'
import { lockOrRefuse } from '../connection/lock-store.ts'
import { CliFailure } from '../failure.ts'
import { type CommonOptions, refuseServer, withStoreOptions } from '../options.ts'
import { askFirst, withYesOption, type YesOption } from '../terminal/confirm.ts'
import { goOnAfterIdsOf } from './restored-ids.ts'

const HELP = `
The backup is checked first. The store that was there is kept beside it, under a
name that ends in .before-restore-<time>: delete it when you are sure. Stored
secrets need the master key of the time of the backup.

Example:
  tidings restore /backups/tidings-2026-01-31.db`

const LOG_FILES = ['-wal', '-shm']
const CLOSE_MS = 5000

export function restoreCommand(cli: Cli): Command {
  return withYesOption(withStoreOptions(new Command('restore')))
    .description('put a backup in the place of an SQLite store; no serve may run; asks first on a terminal')
    .argument('<file>', 'a file that "tidings backup" wrote')
    .addHelpText('after', HELP)
    .action(
      cli.withoutClient(async (output, options: CommonOptions & YesOption, typed: string) => {
        refuseServer(options, 'restore')
        const { config } = resolvedConfig(cli.context, options)
        const database = databaseOf(config.database.url)
        if (database?.engine !== 'sqlite' || database.path === ':memory:')
          throw new CliFailure('The store is no SQLite file: restore PostgreSQL with pg_restore.')
        const backup = resolve(cli.context.cwd, typed)
        const store = realPathOf(resolve(cli.context.cwd, database.path))
        if (!existsSync(backup)) throw new CliFailure(`There is no file ${typed}.`)
        if (realPathOf(backup) === store) throw new CliFailure(`${typed} is the store itself.`)
        const lock = lockOrRefuse(store, 'restore')
        try {
          const draft = `${store}.restoring-${randomBytes(4).toString('hex')}`
          const checked = await checkedCopy(cli, config, backup, draft)
          try {
            const what = `with ${checked.sources} sources and ${checked.posts} posts`
            const replaced = existsSync(store) ? ` in the place of ${store}` : ` as ${store}`
            await askFirst(cli.context, options, `Put ${typed} ${what}${replaced}?`)
            goOnAfterIdsOf(draft, store)
            const kept = replaceStore(store, draft, cli.context.now())
            output.answer({ file: store, kept, ...checked }, () => restoredText(store, kept, checked))
          } finally {
            removeStore(draft)
          }
        } finally {
          lock.release()
        }
      }),
    )
}

interface Checked {
  readonly schema: number
  readonly sources: number
  readonly posts: number
  /** Secrets that the master key of this machine does not open. */
  readonly unreadable: string | null
}

function restoredText(store: string, kept: string | null, { sources, posts, schema, unreadable }: Checked): string {
  return [
    `${store}: ${sources} sources, ${posts} posts, schema ${schema}`,
    ...(kept === null ? [] : [`What was there is kept as ${kept}`]),
    ...(unreadable === null ? [] : [`Attention: ${unreadable}`]),
  ].join('\n')
}

/** The copy is migrated and counted by the product itself, so that what is put in place is known to work. */
async function checkedCopy(
  { context }: Cli,
  config: ReturnType<typeof resolvedConfig>['config'],
  backup: string,
  draft: string,
): Promise<Checked> {
  try {
    copyVerified(backup, draft)
    const log = createLog({ ...config.log, level: 'silent' })
    const runToken = randomBytes(32).toString('base64url')
    const app = await context.openApp({ config: { ...config, database: { url: `file:${draft}` } }, log, runToken })
    try {
      const headers = { authorization: `Bearer ${runToken}`, host: 'localhost' }
      const { totals } = JSON.parse((await app.inject({ method: 'GET', url: '/api/status', headers })).payload)
      const unreadable = app.unreadable ? `${app.unreadable.found}. ${app.unreadable.remedy}` : null
      return { schema: await app.store.schemaVersion(), sources: totals.sources, posts: totals.posts, unreadable }
    } finally {
      await app.close(CLOSE_MS)
    }
  } catch (error) {
    removeStore(draft)
    throw new CliFailure(`${backup} cannot be restored, and nothing was changed: ${(error as Error).message}`)
  }
}

function copyVerified(backup: string, draft: string): void {
  const source = new DatabaseSync(backup, { readOnly: true, timeout: 10_000 })
  try {
    const tables = source.prepare(`SELECT count(*) AS n FROM sqlite_master WHERE name IN ('sources', 'posts', 'meta')`)
    if (tables.get()?.n !== 3) throw new Error('it is no store of Tidings.')
    const [found] = source.prepare('PRAGMA integrity_check(1)').all()
    if (found?.integrity_check !== 'ok') throw new Error(`it is damaged: ${found?.integrity_check}`)
    source.prepare('VACUUM INTO ?').run(draft)
    chmodSync(draft, 0o600)
  } finally {
    source.close()
  }
}

/**
 * Returns where the old store is kept; null if there was none. The old file gets a second name first, and the new one then
 * takes its place in one step, so there is a whole store under this name at every moment.
 */
function replaceStore(store: string, draft: string, now: number): string | null {
  const kept = existsSync(store) ? unusedName(store, now) : null
  foldLogIn(draft)
  if (kept !== null) keep(store, kept)
  renameSync(draft, store)
  return kept
}

function unusedName(store: string, now: number): string {
  const name = `${store}.before-restore-${new Date(now).toISOString().replace(/\D/g, '').slice(0, 14)}`
  let free = name
  for (let n = 2; existsSync(free); n++) free = `${name}-${n}`
  return free
}

function keep(store: string, kept: string): void {
  foldLogIn(store)
  try {
    linkSync(store, kept)
  } catch (error) {
    // Some file systems have one name per file.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error
    copyFileSync(store, kept, constants.COPYFILE_EXCL)
  }
  // A damaged store may have its log left: it belongs to the old content, and would be read into the new one.
  for (const end of LOG_FILES) if (existsSync(store + end)) renameSync(store + end, kept + end)
}

/** Closing the last connection writes the log into the file and removes it. */
function foldLogIn(store: string): void {
  try {
    const database = new DatabaseSync(store)
    try {
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } finally {
      database.close()
    }
  } catch {
    // It is damaged. It is kept as it is.
  }
}

function removeStore(path: string): void {
  for (const end of ['', ...LOG_FILES]) rmSync(path + end, { force: true })
}
