// Makes sure that one `serve`, or one program with the library, polls on an SQLite file. The lock is SQLite's own, on a file beside the database. The operating
// system releases it however the process ends, so a lock is never stale. Commands that open the store themselves share a
// lock that keeps those out, but not each other: leases on hosts keep their visits apart.
// See docs/decisions/0004-sqlite-transaction-as-process-lock.md
import { closeSync, existsSync, openSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Problem } from '../domain/problem.ts'
import { unwritableRemedy } from '../domain/unwritable-folder.ts'
import { makeFolder } from '../make-folder.ts'

export interface Lock {
  release(): void
}

const SQLITE_BUSY = 5

/** Keeps the databases referenced. The garbage collector would close them, and release their locks. */
const held = new Set<DatabaseSync>()

export function lockForServe(databasePath: string): Lock | null {
  return takeLock(databasePath, (lockDatabase) => lockDatabase.exec('BEGIN EXCLUSIVE'))
}

export function lockForCommand(databasePath: string): Lock | null {
  return takeLock(databasePath, (lockDatabase) => {
    lockDatabase.exec('BEGIN')
    // The first read takes the shared lock.
    lockDatabase.prepare('SELECT count(*) FROM sqlite_master').get()
  })
}

function takeLock(databasePath: string, lock: (lockDatabase: DatabaseSync) => void): Lock | null {
  const lockDatabase = openLockDatabase(databasePath)
  try {
    // Nothing is written, so no journal file is needed.
    lockDatabase.exec('PRAGMA journal_mode = MEMORY')
    lock(lockDatabase)
    held.add(lockDatabase)
    return {
      release() {
        held.delete(lockDatabase)
        lockDatabase.close()
      },
    }
  } catch (error) {
    lockDatabase.close()
    if (((error as { errcode?: number }).errcode ?? 0) % 256 === SQLITE_BUSY) return null
    throw error
  }
}

function openLockDatabase(databasePath: string): DatabaseSync {
  try {
    return new DatabaseSync(lockFile(databasePath), { timeout: 0 })
  } catch (error) {
    const remedy = unwritableRemedy(error)
    const reason = `${reasonOf(error as NodeJS.ErrnoException)}${remedy === null ? '' : `. ${remedy}`}`
    throw new Problem('store-in-use', `Cannot write beside ${databasePath}: ${reason}`)
  }
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  return code === 'EEXIST' || code === 'ENOTDIR' ? 'its folder is a file' : message
}

/** Creates the lock file, readable by its owner only. An existing one is not opened: closing it would release the lock. */
function lockFile(databasePath: string): string {
  const path = `${realPathOf(databasePath)}.lock`
  try {
    if (!existsSync(path)) closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return path
}

/** Two paths of the same file must use the same lock. */
export function realPathOf(databasePath: string): string {
  const path = resolve(databasePath)
  try {
    return realpathSync(path)
  } catch {
    makeFolder(dirname(path))
    return join(realpathSync(dirname(path)), basename(path))
  }
}
