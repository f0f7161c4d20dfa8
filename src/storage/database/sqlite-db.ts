// SQLite on the main thread. node:sqlite is synchronous, so two things keep the event loop free: transactions yield
// between statements once they have used their slice, and reads go through a second connection that sees committed
// data only (WAL), so they never wait for a writer. Writers take turns. In memory there is one connection, so reads
// take turns too. WAL with synchronous=NORMAL: a crash of the process loses nothing; a power cut may lose the last
// transactions, each of them whole.
import type { Database, Param, Row, Transaction } from './db.ts'
import { sqliteDialect } from './dialect.ts'
import { SqliteConnection } from './sqlite-connection.ts'
import { WalCheckpoints } from './wal-checkpoints.ts'
import { Pace, Turns } from './write-queue.ts'

const MEMORY = ':memory:'

export async function openSqlite(path: string): Promise<Database> {
  const writer = new SqliteConnection(path)
  if (path === MEMORY) return new SqliteDb(writer, writer, null)
  try {
    await writer.patiently(() => writer.script('PRAGMA journal_mode = WAL'))
    // Copying the log back into the file waits for the disk: that is done on another thread.
    writer.script('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -4000')
    const reader = new SqliteConnection(path)
    reader.script('PRAGMA query_only = ON; PRAGMA cache_size = -8000')
    return new SqliteDb(writer, reader, new WalCheckpoints(path))
  } catch (error) {
    writer.close()
    throw error
  }
}

class SqliteDb implements Database {
  readonly dialect = sqliteDialect
  readonly #writer: SqliteConnection
  readonly #reader: SqliteConnection
  readonly #checkpoints: WalCheckpoints | null
  readonly #turns = new Turns()
  readonly #pace = new Pace()

  constructor(writer: SqliteConnection, reader: SqliteConnection, checkpoints: WalCheckpoints | null) {
    this.#writer = writer
    this.#reader = reader
    this.#checkpoints = checkpoints
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

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const endTurn = await this.#turns.take()
    try {
      if (this.#pace.spent) await this.#pace.nextTurn()
      await this.#writer.patiently(() => this.#writer.script('BEGIN IMMEDIATE'))
      const result = await work(this.#transaction)
      this.#writer.script('COMMIT')
      return result
    } catch (error) {
      this.#rollBack()
      throw error
    } finally {
      // The next writer waits for a checkpoint, the event loop and this caller do not.
      if (this.#checkpoints?.isDue()) void this.#checkpoints.run().finally(endTurn)
      else endTurn()
    }
  }

  async close(): Promise<void> {
    const endTurn = await this.#turns.take()
    await this.#checkpoints?.stop()
    if (this.#reader !== this.#writer) this.#reader.close()
    this.#writer.close()
    endTurn()
  }

  readonly #transaction: Transaction = {
    dialect: sqliteDialect,
    all: (sql, params = []) => this.#paced(() => this.#writer.all(sql, params)),
    get: (sql, params = []) => this.#paced(() => this.#writer.get(sql, params)),
    run: (sql, params = []) => this.#paced(() => this.#writer.run(sql, params)),
    script: (sql) => this.#paced(() => this.#writer.script(sql)),
  }

  async #paced<T>(work: () => T): Promise<T> {
    if (this.#pace.spent) await this.#pace.nextTurn()
    return work()
  }

  async #read<T>(work: () => T): Promise<T> {
    if (this.#reader !== this.#writer) {
      if (this.#pace.spent) await this.#pace.nextTurn()
      return this.#reader.patiently(work)
    }
    const endTurn = await this.#turns.take()
    try {
      return await this.#paced(work)
    } finally {
      endTurn()
    }
  }

  #rollBack(): void {
    try {
      this.#writer.script('ROLLBACK')
    } catch {
      // BEGIN itself failed, or the engine has rolled back already (a full disk).
    }
  }
}
