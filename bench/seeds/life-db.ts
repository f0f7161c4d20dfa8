// The database as one process sees it. Between any two statements the process may die: what was not committed is rolled
// back, and nothing comes back to it ever again. Or a statement fails because the disk is full.
import type { Database, Db, Param, Row, Transaction } from '../../src/storage/database/db.ts'

export interface Life {
  readonly isAlive: () => boolean
  /** Called before each statement and before each commit. May end the life. Returns an error that it is to fail with. */
  readonly beforeStatement: (kind: 'read' | 'write') => Error | null
  /** A probe of an open breaker goes out. */
  readonly onProbe: () => void
}

export class LifeDb implements Database {
  readonly #db: Database
  readonly #life: Life
  readonly dialect

  constructor(db: Database, life: Life) {
    this.#db = db
    this.#life = life
    this.dialect = db.dialect
  }

  all(sql: string, params?: readonly Param[]): Promise<Row[]> {
    return this.#unlessDead(() => this.#db.all(sql, params))
  }

  get(sql: string, params?: readonly Param[]): Promise<Row | undefined> {
    return this.#unlessDead(() => this.#db.get(sql, params))
  }

  run(sql: string, params?: readonly Param[]): Promise<number> {
    return this.transaction((tx) => tx.run(sql, params))
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#unlessDead(() =>
      this.#db.transaction(async (tx) => {
        const result = await work(this.#guarded(tx))
        this.#check('write')
        return result
      }),
    )
  }

  onEventsWritten(listener: (firstId: number) => void): () => void {
    return this.#db.onEventsWritten((firstId) => {
      if (this.#life.isAlive()) listener(firstId)
    })
  }

  onEvents(listener: Parameters<Database['onEvents']>[0]): () => void {
    return this.#db.onEvents((events) => {
      if (this.#life.isAlive()) listener(events)
    })
  }

  write(sql: string, params?: readonly Param[]): Promise<Row | undefined> {
    return this.transaction((tx) => tx.get(sql, params))
  }

  announceEvents(...announced: Parameters<Database['announceEvents']>): void {
    if (this.#life.isAlive()) this.#db.announceEvents(...announced)
  }

  diskSpace(): ReturnType<Database['diskSpace']> {
    return this.#db.diskSpace()
  }

  async close(): Promise<void> {}

  async #unlessDead<T>(work: () => Promise<T>): Promise<T> {
    const { isAlive } = this.#life
    const error = isAlive() ? this.#life.beforeStatement('read') : null
    if (!isAlive()) return never()
    if (error) throw error
    try {
      const result = await work()
      return isAlive() ? result : never()
    } catch (error) {
      if (isAlive()) throw error
      return never()
    }
  }

  #check(kind: 'read' | 'write'): void {
    const { isAlive, beforeStatement } = this.#life
    const error = isAlive() ? beforeStatement(kind) : null
    if (!isAlive()) throw new Error('the process is dead')
    if (error) throw error
  }

  #guarded(tx: Transaction): Transaction {
    const checked =
      <A extends unknown[], R>(run: (...args: A) => Promise<R>) =>
      async (...args: A): Promise<R> => {
        this.#check('write')
        return run(...args)
      }
    const statements: Pick<Db, 'all' | 'get' | 'run'> = {
      all: checked((sql, params) => tx.all(sql, params)),
      get: checked((sql, params) => tx.get(sql, params)),
      run: checked((sql, params) => {
        if (params?.includes('half-open')) this.#life.onProbe()
        return tx.run(sql, params)
      }),
    }
    return { ...statements, dialect: tx.dialect, script: tx.script, announceEvents: tx.announceEvents }
  }
}

function never<T>(): Promise<T> {
  return new Promise(() => {})
}

/** As the store throws it where the disk does not give back what was written. */
export function readFailed(): Error {
  return Object.assign(new Error('disk I/O error'), { errcode: 10, code: 'ERR_SQLITE_ERROR', storeIsAway: true })
}

/** As node:sqlite throws it. */
export function diskFull(): Error {
  return Object.assign(new Error('database or disk is full'), { errcode: 13, code: 'ERR_SQLITE_ERROR' })
}
