// SQLite on the main thread. node:sqlite is synchronous, so two things keep the event loop free. Transactions give way
// between statements once their time slice is used up. Reads have a connection of their own, which sees committed data
// only (WAL) and never waits for a writer. Writers queue (sqlite-writer.ts). A database in memory has one connection, so
// reads queue too.
// With WAL and synchronous=NORMAL a crash of the process loses nothing. A power cut may lose the last transactions, but
// never a part of one.
// See docs/decisions/0011-sqlite-on-the-main-thread.md
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { DiskSpace } from '../../domain/disk-space.ts'
import type { NewEvent } from '../../domain/event.ts'
import type { Log } from '../../ports/log.ts'
import type { Database, Param, Row, Transaction } from './db.ts'
import { sqliteDialect } from './dialect.ts'
import { Listeners } from './listeners.ts'
import { SqliteAvailability } from './sqlite-availability.ts'
import { SqliteConnection } from './sqlite-connection.ts'
import { SqliteWriter } from './sqlite-writer.ts'
import { TimeSlice } from './time-slice.ts'
import { WalCheckpoints } from './wal-checkpoints.ts'

const MEMORY = ':memory:'
/** SQLite copies the pages that a statement changes, to undo it. An INSERT with a trigger would make a file for that. */
const IN_MEMORY = 'PRAGMA temp_store = MEMORY'
/** Migrations may sort millions of rows, for which memory would not do. */
const ON_DISK = 'PRAGMA temp_store = FILE'

export async function openSqlite(path: string, log?: Log): Promise<Database> {
  const writer = new SqliteConnection(path)
  if (path === MEMORY) return new SqliteDb({ writer, reader: writer, checkpoints: null, path: null, log })
  try {
    await writer.retryWhileBusy(() => writer.script('PRAGMA journal_mode = WAL'))
    // Checkpoints wait for the disk, so wal-checkpoints.ts makes them on another thread.
    writer.script(`PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -4000; ${IN_MEMORY}`)
    const reader = new SqliteConnection(path)
    reader.script('PRAGMA query_only = ON; PRAGMA cache_size = -8000')
    return new SqliteDb({ writer, reader, checkpoints: new WalCheckpoints(path), path, log })
  } catch (error) {
    writer.close()
    throw error
  }
}

interface SqliteParts {
  readonly writer: SqliteConnection
  readonly reader: SqliteConnection
  readonly checkpoints: WalCheckpoints | null
  /** null: in memory. */
  readonly path: string | null
  readonly log: Log | undefined
}

class SqliteDb implements Database {
  readonly dialect = sqliteDialect
  readonly #writer: SqliteConnection
  readonly #reader: SqliteConnection
  readonly #checkpoints: WalCheckpoints | null
  readonly #path: string | null
  readonly #availability: SqliteAvailability
  readonly #slice = new TimeSlice()
  readonly #writes: SqliteWriter
  readonly #eventsWritten = new Listeners<[firstId: number]>()
  readonly #events = new Listeners<[events: readonly NewEvent[]]>()

  constructor({ writer, reader, checkpoints, path, log }: SqliteParts) {
    this.#writer = writer
    this.#reader = reader
    this.#checkpoints = checkpoints
    this.#path = path
    const availability = new SqliteAvailability(path, log)
    this.#availability = availability
    this.#writes = new SqliteWriter({ connection: writer, availability, slice: this.#slice, checkpoints })
  }

  async diskSpace(): Promise<DiskSpace | null> {
    if (this.#path === null) return null
    this.#availability.requireFiles()
    const { bavail, blocks, bsize } = await statfs(dirname(this.#path))
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
  }

  all(sql: string, params: readonly Param[] = []): Promise<Row[]> {
    return this.#read(() => this.#reader.all(sql, params))
  }

  get(sql: string, params: readonly Param[] = []): Promise<Row | undefined> {
    return this.#read(() => this.#reader.get(sql, params))
  }

  run(sql: string, params: readonly Param[] = []): Promise<number> {
    return this.transaction((tx) => tx.run(sql, params))
  }

  onEventsWritten(listener: (firstId: number) => void): () => void {
    return this.#eventsWritten.add(listener)
  }

  onEvents(listener: (events: readonly NewEvent[]) => void): () => void {
    return this.#events.add(listener)
  }

  write(sql: string, params: readonly Param[] = []): Promise<Row | undefined> {
    return this.transaction((tx) => tx.get(sql, params))
  }

  announceEvents(events: readonly NewEvent[], { firstId }: { readonly firstId: number | null }): void {
    if (firstId !== null) this.#eventsWritten.tell(firstId)
    if (events.length > 0) this.#events.tell(events)
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const announced: NewEvent[] = []
    let first: number | null = null
    const announceEvents: Transaction['announceEvents'] = (events, { firstId }) => {
      announced.push(...events)
      first ??= firstId
    }
    const result = await this.#writes.write(() => work({ ...this.#statements, announceEvents }))
    this.announceEvents(announced, { firstId: first })
    return result
  }

  async close(): Promise<void> {
    const leaveQueue = await this.#writes.enterQueue()
    await this.#checkpoints?.stop()
    if (this.#reader !== this.#writer) this.#reader.close()
    this.#writer.close()
    leaveQueue()
  }

  readonly #statements: Omit<Transaction, 'announceEvents'> = {
    dialect: sqliteDialect,
    all: (sql, params = []) => this.#inSlice(() => this.#writer.all(sql, params)),
    get: (sql, params = []) => this.#inSlice(() => this.#writer.get(sql, params)),
    run: (sql, params = []) => this.#inSlice(() => this.#writer.run(sql, params)),
    script: (sql) => this.#inSlice(() => this.#runScript(sql)),
  }

  #runScript(sql: string): void {
    this.#writer.script(ON_DISK)
    try {
      this.#writer.script(sql)
    } finally {
      this.#writer.script(IN_MEMORY)
    }
  }

  async #inSlice<T>(work: () => T): Promise<T> {
    if (this.#slice.isUsedUp) await this.#slice.nextTurn()
    return work()
  }

  async #read<T>(work: () => T): Promise<T> {
    try {
      return await this.#readInTurn(work)
    } catch (error) {
      throw this.#availability.onReadError(error)
    }
  }

  async #readInTurn<T>(work: () => T): Promise<T> {
    if (this.#reader !== this.#writer) {
      if (this.#slice.isUsedUp) await this.#slice.nextTurn()
      return this.#reader.retryWhileBusy(work)
    }
    const leaveQueue = await this.#writes.enterQueue()
    try {
      return await this.#inSlice(work)
    } finally {
      leaveQueue()
    }
  }
}
