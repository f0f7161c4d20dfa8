// One `serve` per SQLite file. The lock is SQLite's own, taken on a side file and held for life: the operating system
// lets go of it however the process ends, so there is no such thing as a stale lock. Commands that open the store
// themselves share a lock that keeps a `serve` out while they work, but not each other: they hold the hosts they visit.
import { closeSync, existsSync, openSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeFolder } from '../../make-folder.ts'
import { CliFailure } from '../failure.ts'

export interface Lock {
  release(): void
}

const SQLITE_BUSY = 5

/** A database that nobody refers to is closed by the garbage collector, and its lock would go with it. */
const held = new Set<DatabaseSync>()

export function lockForServe(databasePath: string): Lock | null {
  return take(databasePath, (side) => side.exec('BEGIN EXCLUSIVE'))
}

export function lockForCommand(databasePath: string): Lock | null {
  return take(databasePath, (side) => {
    side.exec('BEGIN')
    // It is the first read that takes the shared lock.
    side.prepare('SELECT count(*) FROM sqlite_master').get()
  })
}

function take(databasePath: string, lock: (side: DatabaseSync) => void): Lock | null {
  const side = openSide(databasePath)
  try {
    // Nothing is ever written, so no journal need lie about.
    side.exec('PRAGMA journal_mode = MEMORY')
    lock(side)
    held.add(side)
    return {
      release() {
        held.delete(side)
        side.close()
      },
    }
  } catch (error) {
    side.close()
    if (((error as { errcode?: number }).errcode ?? 0) % 256 === SQLITE_BUSY) return null
    throw error
  }
}

function openSide(databasePath: string): DatabaseSync {
  try {
    return new DatabaseSync(lockFile(databasePath), { timeout: 0 })
  } catch (error) {
    throw new CliFailure(`Cannot write beside ${databasePath}: ${reasonOf(error as NodeJS.ErrnoException)}`)
  }
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  return code === 'EEXIST' || code === 'ENOTDIR' ? 'its folder is a file' : message
}

/** Made here, so that it is its owner's. Never opened twice by hand: closing it would let go of the lock. */
function lockFile(databasePath: string): string {
  const path = `${trueName(databasePath)}.lock`
  try {
    if (!existsSync(path)) closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return path
}

/** Two spellings of one file must meet at one lock. */
export function trueName(databasePath: string): string {
  const path = resolve(databasePath)
  try {
    return realpathSync(path)
  } catch {
    makeFolder(dirname(path))
    return join(realpathSync(dirname(path)), basename(path))
  }
}
