// `restore`: puts a backup in the place of an SQLite store. The backup is copied and opened as a store before anything is
// replaced, and what was there before is kept beside it.
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, renameSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Command } from 'commander'
import { databaseOf } from '../../config.ts'
import { createLog } from '../../log.ts'
import { readServeFile } from '../../store-lock/serve-file.ts'
import { type Lock, lockForServe, realPathOf } from '../../store-lock/store-lock.ts'
import type { Cli } from '../cli.ts'
import { resolvedConfig } from '../connection/connect.ts'
import { CliFailure } from '../failure.ts'
import { type CommonOptions, refuseServer, withStoreOptions } from '../options.ts'
import { askFirst, withYesOption, type YesOption } from '../terminal/confirm.ts'

const HELP = `
The backup is checked first. The store that was there is kept beside it, under a name that ends in .before-restore-<time>:
delete it when you are sure. Stored secrets need the master key of the time of the backup.

Example:
  tidings restore /backups/tidings-2026-01-31.db`

const FILES = ['', '-wal', '-shm']
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
        const lock = lockOrRefuse(store)
        try {
          const draft = `${store}.restoring-${randomBytes(4).toString('hex')}`
          const checked = await checkedCopy(cli, config, backup, draft)
          try {
            const what = `with ${checked.sources} sources and ${checked.posts} posts`
            const replaced = existsSync(store) ? ` in the place of ${store}` : ` as ${store}`
            await askFirst(cli.context, options, `Put ${typed} ${what}${replaced}?`)
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

function lockOrRefuse(store: string): Lock {
  const lock = lockForServe(store)
  if (lock) return lock
  const running = readServeFile(store)
  const who = running ? `A tidings serve (process ${running.pid})` : 'Another tidings command'
  throw new CliFailure(`${who} uses ${store}: stop it first, then restore.`)
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

/** Returns where the old store is kept; null if there was none. */
function replaceStore(store: string, draft: string, now: number): string | null {
  const stamp = new Date(now).toISOString().replace(/\D/g, '').slice(0, 14)
  const kept = existsSync(store) ? `${store}.before-restore-${stamp}` : null
  // The files beside the database move with it: they belong to its content, and would overwrite that of the backup.
  if (kept !== null) moveStore(store, kept)
  moveStore(draft, store)
  return kept
}

function moveStore(from: string, to: string): void {
  for (const end of FILES) if (existsSync(from + end)) renameSync(from + end, to + end)
}

function removeStore(path: string): void {
  for (const end of FILES) rmSync(path + end, { force: true })
}
