// PostgreSQL through a pool of connections. Integers arrive as numbers. A transaction that lost a deadlock or a
// serialization conflict is repeated. A connection that breaks is logged and replaced; it never ends the process.
// Frequent statements are prepared (prepared.ts), unless a connection pooler gets in the way of that.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { NewEvent } from '../../domain/event.ts'
import { isStoreAway } from '../../domain/problem.ts'
import type { Log } from '../../ports/log.ts'
import type { Database, Param, Row, Transaction } from './db.ts'
import { postgresDialect } from './dialect.ts'
import { Listeners } from './listeners.ts'
import { PostgresAvailability } from './postgres-availability.ts'
import { nameOfPrepared } from './prepared.ts'

const STATEMENT_TIMEOUT_MS = 30_000
/**
 * Longer than any statement may take on the server. A machine that is down, or a firewall that dropped the connection,
 * sends no error: without a limit on this side a query would wait for ever.
 */
const ANSWER_MS = STATEMENT_TIMEOUT_MS + 5_000
/** A migration of a large store may take hours. */
const MIGRATION_ANSWER_MS = 24 * 3_600_000
/** A process that stalls in the middle of a transaction must not keep its locks for long: others wait for those rows. */
const IDLE_TRANSACTION_MS = 5_000
const MOST_CONNECTIONS = 10
/** Besides: polls that take all connections must not keep people waiting. */
const MOST_CONNECTIONS_FOR_REQUESTS = 5
const TRIES = 4
/** Serialization failure, deadlock. */
const RETRIED = new Set(['40001', '40P01'])
/**
 * A prepared statement that is not there, or is there already: a pooler gave us the connection of somebody else. Or its
 * table has other columns by now: a newer version has brought the store up to date while this process runs.
 */
const NOT_PREPARED = new Set(['26000', '42P05', '0A000'])

const INT8 = 20
const NUMERIC = 1700

export async function openPostgres(url: string, log?: Log, answerMs = ANSWER_MS): Promise<Database> {
  const makePool = (max: number): pg.Pool => openPool(url, max, answerMs, log)
  const availability = new PostgresAvailability(log)
  return new PostgresDb(makePool(MOST_CONNECTIONS), availability, () => makePool(MOST_CONNECTIONS_FOR_REQUESTS))
}

function openPool(url: string, max: number, answerMs: number, log?: Log): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    application_name: 'tidings',
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: answerMs,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
    types: {
      // Counts, instants and ids stay far below 2^53.
      getTypeParser: (oid, format) =>
        oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format as 'text'),
    },
  })
  // The pool handles errors of idle connections only. Without this an error of one in use would end the process.
  const lost = (error: Error) => log?.warn({ reason: error.message }, 'A connection to PostgreSQL was lost')
  pool.on('connect', (client) => client.on('error', lost))
  // Logged above.
  pool.on('error', () => {})
  return pool
}

type Statements = Omit<Transaction, 'announceEvents'>
type Queryable = Pick<pg.ClientBase, 'query'>
type Answer = Pick<pg.QueryResult<Row>, 'rows' | 'rowCount'>

class PostgresDb implements Database {
  readonly dialect = postgresDialect
  readonly #pool: pg.Pool
  readonly #availability: PostgresAvailability
  readonly #openPool: () => pg.Pool
  readonly #eventsWritten: Listeners<[firstId: number]>
  readonly #events: Listeners<[events: readonly NewEvent[]]>
  #forRequests: PostgresDb | null = null
  #mayPrepare = true

  constructor(pool: pg.Pool, availability: PostgresAvailability, openPool: () => pg.Pool, other?: PostgresDb) {
    this.#pool = pool
    this.#availability = availability
    this.#openPool = openPool
    this.#eventsWritten = other ? other.#eventsWritten : new Listeners()
    this.#events = other ? other.#events : new Listeners()
  }

  forRequests(): Database {
    this.#forRequests ??= new PostgresDb(this.#openPool(), this.#availability, this.#openPool, this)
    return this.#forRequests
  }

  async all(sql: string, params: readonly Param[] = []): Promise<Row[]> {
    return (await this.#query(this.#pool, sql, params)).rows
  }

  async get(sql: string, params: readonly Param[] = []): Promise<Row | undefined> {
    return (await this.#query(this.#pool, sql, params)).rows[0]
  }

  async run(sql: string, params: readonly Param[] = []): Promise<number> {
    return (await this.#query(this.#pool, sql, params)).rowCount ?? 0
  }

  onEventsWritten(listener: (firstId: number) => void): () => void {
    return this.#eventsWritten.add(listener)
  }

  onEvents(listener: (events: readonly NewEvent[]) => void): () => void {
    return this.#events.add(listener)
  }

  write(sql: string, params: readonly Param[] = []): Promise<Row | undefined> {
    return this.get(sql, params)
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
    const result = await this.#commit((tx) => {
      announced.length = 0
      first = null
      return work({ ...tx, announceEvents })
    })
    this.announceEvents(announced, { firstId: first })
    return result
  }

  async #commit<T>(work: (tx: Statements) => Promise<T>): Promise<T> {
    for (let tried = 1; ; tried++) {
      try {
        return await this.#attempt(work)
      } catch (error) {
        const code = codeOf(error)
        if (tried >= TRIES || !(RETRIED.has(code) || NOT_PREPARED.has(code))) throw error
      }
      await sleep(tried * 10)
    }
  }

  async diskSpace(): Promise<null> {
    return null
  }

  async close(): Promise<void> {
    await this.#forRequests?.close()
    await this.#pool.end()
  }

  async #attempt<T>(work: (tx: Statements) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect().catch(this.#availability.onError)
    let broken: Error | undefined
    try {
      await client.query('BEGIN').catch(this.#availability.onError)
      const result = await work(this.#statementsOn(client))
      await client.query('COMMIT').catch(this.#availability.onError)
      return result
    } catch (error) {
      // A connection that does not answer is discarded without ROLLBACK, and so is one whose ROLLBACK fails.
      if (isStoreAway(error)) broken = error as Error
      else
        await client.query('ROLLBACK').catch((reason: Error) => {
          broken = reason
        })
      throw error
    } finally {
      client.release(broken)
    }
  }

  #statementsOn(client: Queryable): Statements {
    return {
      dialect: postgresDialect,
      all: async (sql, params = []) => (await this.#query(client, sql, params)).rows,
      get: async (sql, params = []) => (await this.#query(client, sql, params)).rows[0],
      run: async (sql, params = []) => (await this.#query(client, sql, params)).rowCount ?? 0,
      async script(sql) {
        const withLongTimeout = { text: sql, query_timeout: MIGRATION_ANSWER_MS }
        await client.query(withLongTimeout)
      },
    }
  }

  async #query(on: Queryable, sql: string, params: readonly Param[]): Promise<Answer> {
    if (looksForNul(sql, params)) return { rows: [], rowCount: 0 }
    const name = this.#mayPrepare ? nameOfPrepared(sql) : undefined
    const statement = { text: postgresDialect.statement(sql), values: params as unknown[], ...(name && { name }) }
    try {
      const answer = await on.query<Row & pg.QueryResultRow>(statement).catch(this.#availability.onError)
      this.#availability.onAnswer()
      return answer
    } catch (error) {
      if (!name || !NOT_PREPARED.has(codeOf(error))) throw error
      this.#mayPrepare = false
      // A transaction has failed with it and begins again.
      if (on !== this.#pool) throw error
      return this.#query(on, sql, params)
    }
  }
}

function codeOf(error: unknown): string {
  return (error as { code?: string }).code ?? ''
}

/** PostgreSQL stores no text with NUL, and refuses a query that searches for one. Such a query finds nothing. */
function looksForNul(sql: string, params: readonly Param[]): boolean {
  return /^\s*SELECT\b/.test(sql) && params.some((param) => typeof param === 'string' && param.includes('\0'))
}
