// PostgreSQL behind the same small interface: a pool, whole numbers as numbers, and a second try where the engine asks
// for one. A connection that breaks is logged and replaced; it never takes the process down.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { isStoreAway } from '../../domain/problem.ts'
import type { Log } from '../../ports/log.ts'
import type { Database, Param, Row, Transaction } from './db.ts'
import { postgresDialect } from './dialect.ts'
import { Reach } from './postgres-away.ts'

const STATEMENT_TIMEOUT_MS = 30_000
/**
 * Longer than the server takes for any statement. A server whose machine is gone, or that a firewall has forgotten, does not
 * say so: without a limit on this side, who asked it would wait for ever.
 */
const ANSWER_MS = STATEMENT_TIMEOUT_MS + 5_000
/** A migration takes what it takes. */
const MIGRATION_ANSWER_MS = 24 * 3_600_000
/** A process that is stopped in the middle of a transaction keeps rows that all others need: not for longer than they wait. */
const IDLE_TRANSACTION_MS = 5_000
const MOST_CONNECTIONS = 10
const TRIES = 4
/** Serialization failure, deadlock. */
const RETRIED = new Set(['40001', '40P01'])

const INT8 = 20
const NUMERIC = 1700

export async function openPostgres(url: string, log?: Log, answerMs = ANSWER_MS): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    max: MOST_CONNECTIONS,
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
  // The pool listens only while a connection is idle; without this one a break in mid-use would end the process.
  const lost = (error: Error) => log?.warn({ reason: error.message }, 'A connection to PostgreSQL was lost')
  pool.on('connect', (client) => client.on('error', lost))
  // Told already.
  pool.on('error', () => {})
  return new PostgresDb(pool, new Reach(log))
}

type Queryable = Pick<pg.ClientBase, 'query'>
type Answer = Pick<pg.QueryResult<Row>, 'rows' | 'rowCount'>

class PostgresDb implements Database {
  readonly dialect = postgresDialect
  readonly #pool: pg.Pool
  readonly #reach: Reach

  constructor(pool: pg.Pool, reach: Reach) {
    this.#pool = pool
    this.#reach = reach
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

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    for (let tried = 1; ; tried++) {
      try {
        return await this.#attempt(work)
      } catch (error) {
        if (tried >= TRIES || !RETRIED.has((error as { code?: string }).code ?? '')) throw error
      }
      await sleep(tried * 10)
    }
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }

  async #attempt<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect().catch(this.#reach.refused)
    let broken: Error | undefined
    try {
      await client.query('BEGIN').catch(this.#reach.refused)
      const result = await work(this.#transactionOn(client))
      await client.query('COMMIT').catch(this.#reach.refused)
      return result
    } catch (error) {
      // A connection that cannot even roll back is thrown away; one that does not answer is not asked to.
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

  #transactionOn(client: Queryable): Transaction {
    return {
      dialect: postgresDialect,
      all: async (sql, params = []) => (await this.#query(client, sql, params)).rows,
      get: async (sql, params = []) => (await this.#query(client, sql, params)).rows[0],
      run: async (sql, params = []) => (await this.#query(client, sql, params)).rowCount ?? 0,
      async script(sql) {
        const patiently = { text: sql, query_timeout: MIGRATION_ANSWER_MS }
        await client.query(patiently)
      },
    }
  }

  async #query(on: Queryable, sql: string, params: readonly Param[]): Promise<Answer> {
    if (looksForNul(sql, params)) return { rows: [], rowCount: 0 }
    const asked = on.query<Row & pg.QueryResultRow>(postgresDialect.statement(sql), params as unknown[])
    const answer = await asked.catch(this.#reach.refused)
    this.#reach.answered()
    return answer
  }
}

/** No text of PostgreSQL holds a NUL, and it refuses even to look for one. */
function looksForNul(sql: string, params: readonly Param[]): boolean {
  return /^\s*SELECT\b/.test(sql) && params.some((param) => typeof param === 'string' && param.includes('\0'))
}
