// Tells errors that mean "the database file cannot be written" from errors of a statement, and marks the former. Notices
// that somebody deleted or replaced the file: SQLite would go on writing into a file that no longer has a name, and all
// of that would be lost. Logs one line when writing fails and one when it works again. On a full disk a small write may
// succeed between others that fail, so writing works again only once the disk has room.
// See docs/decisions/0114-lost-files-and-full-disks-are-noticed-at-each-write.md
import { statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isStoreAway, type StoreIsAway } from '../../domain/problem.ts'
import type { Log } from '../../ports/log.ts'

const SQLITE_FULL = 13
/** I/O error, read-only, cannot open. */
const UNWRITABLE = new Set([10, 8, 14])
/** Less than this is none. */
const ROOM_BYTES = 1_000_000

export class SqliteAvailability {
  readonly #path: string | null
  readonly #log: Log | undefined
  readonly #now: () => number
  readonly #freeBytes: (path: string) => number
  /** By file: the database and its write-ahead log. */
  readonly #identities = new Map<string, string>()
  #awaySince: number | null = null
  #isFull = false

  /** `path` is null for a database in memory. */
  constructor(path: string | null, log?: Log, now = () => performance.now(), freeBytes = freeBytesAt) {
    this.#path = path
    this.#log = log
    this.#now = now
    this.#freeBytes = freeBytes
  }

  /** Throws if the files are no longer those that were there before. */
  requireFiles(): void {
    if (this.#path === null) return
    for (const file of [this.#path, `${this.#path}-wal`]) {
      const identity = identityOf(file)
      const known = this.#identities.get(file)
      if (known === undefined && identity !== null) this.#identities.set(file, identity)
      else if (known !== undefined && known !== identity) {
        throw Object.assign(new Error(`${file} was deleted or replaced. ${REMEDY}`), AWAY)
      }
    }
  }

  onWritten(): void {
    if (this.#awaySince === null) return
    if (this.#isFull && this.#path !== null && this.#freeBytes(this.#path) < ROOM_BYTES) return
    const afterSeconds = Math.round((this.#now() - this.#awaySince) / 1000)
    this.#awaySince = null
    this.#log?.info({ afterSeconds }, `The database can be written again, after ${afterSeconds} s`)
  }

  /** The same error, marked if it means that the file cannot be written. */
  onError(error: unknown): unknown {
    const marked = markIfAway(error)
    if (!isStoreAway(marked) || this.#awaySince !== null) return marked
    this.#awaySince = this.#now()
    this.#isFull = (marked as StoreIsAway).storageFull === true
    const { message: reason } = marked as Error
    this.#log?.error({ reason }, 'The database cannot be written: polls wait and requests are refused until it can')
    return marked
  }

  /** The same error, marked if the file itself cannot be read. Whether it can be written is told by the next write. */
  onReadError(error: unknown): unknown {
    return markIfAway(error)
  }
}

const AWAY: StoreIsAway = { storeIsAway: true }
const REMEDY = 'Nothing is written any more. Stop Tidings, put the file back, and start it again.'

function identityOf(file: string): string | null {
  const found = statSync(file, { throwIfNoEntry: false, bigint: true })
  return found ? `${found.dev}:${found.ino}` : null
}

function markIfAway(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = Number((error as { errcode?: number }).errcode) & 0xff
  if (code === SQLITE_FULL) return Object.assign(error, { storeIsAway: true, storageFull: true } satisfies StoreIsAway)
  return UNWRITABLE.has(code) ? Object.assign(error, AWAY) : error
}

/** Where the system does not tell, there is room. */
function freeBytesAt(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(dirname(path))
    return bavail * bsize
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
