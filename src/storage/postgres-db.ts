// PostgreSQL behind the same small interface: a pool, whole numbers as numbers, and a second try where the engine asks
// for one. A connection that breaks is logged and replaced; it never takes the process down.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../ports/log.ts'
import type { Database, Param, Row, Transaction } from './db.ts'
import { postgresDialect } from './dialect.ts'

const STATEMENT_TIMEOUT_MS = 30_000
const MOST_CONNECTIONS = 10
const TRIES = 4
/** Serialization failure, deadlock. */
const RETRIED = new Set(['40001', '40P01'])

const INT8 = 20
const NUMERIC = 1700

export async function openPostgres(url: string, log?: Log): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    max: MOST_CONNECTIONS,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    application_name: 'tidings',
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: 60_000,
    types: {
      // Counts, instants and ids stay far below 2^53.
      getTypeParser: (oid, format) =>
        oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format as 'text'),
    },
  })
  const lost = (error: Error) => log?.warn({ reason: error.message }, 'A connection to PostgreSQL was lost')
  pool.on('error', lost)
  // The pool listens only while a connection is idle; without this one a break in mid-use would end the process.
  pool.on('connect', (client) => client.on('error', lost))
  return new PostgresDb(pool)
}

type Queryable = Pick<pg.ClientBase, 'query'>

class PostgresDb implements Database {
  readonly dialect = postgresDialect
  readonly #pool: pg.Pool

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  async all(sql: string, params: readonly Param[] = []): Promise<Row[]> {
    return (await query(this.#pool, sql, params)).rows
  }

  async get(sql: string, params: readonly Param[] = []): Promise<Row | undefined> {
    return (await query(this.#pool, sql, params)).rows[0]
  }

  async run(sql: string, params: readonly Param[] = []): Promise<number> {
    return (await query(this.#pool, sql, params)).rowCount ?? 0
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
    const client = await this.#pool.connect()
    let broken: Error | undefined
    try {
      await client.query('BEGIN')
      const result = await work(transactionOn(client))
      await client.query('COMMIT')
      return result
    } catch (error) {
      // A connection that cannot even roll back is thrown away.
      await client.query('ROLLBACK').catch((reason: Error) => {
        broken = reason
      })
      throw error
    } finally {
      client.release(broken)
    }
  }
}

function transactionOn(client: Queryable): Transaction {
  return {
    dialect: postgresDialect,
    all: async (sql, params = []) => (await query(client, sql, params)).rows,
    get: async (sql, params = []) => (await query(client, sql, params)).rows[0],
    run: async (sql, params = []) => (await query(client, sql, params)).rowCount ?? 0,
    script: async (sql) => void (await client.query(sql)),
  }
}

/** No text of PostgreSQL holds a NUL, and it refuses even to look for one. */
function looksForNul(sql: string, params: readonly Param[]): boolean {
  return /^\s*SELECT\b/.test(sql) && params.some((param) => typeof param === 'string' && param.includes('\0'))
}

async function query(
  on: Queryable,
  sql: string,
  params: readonly Param[],
): Promise<Pick<pg.QueryResult<Row>, 'rows' | 'rowCount'>> {
  if (looksForNul(sql, params)) return { rows: [], rowCount: 0 }
  return on.query<Row & pg.QueryResultRow>(postgresDialect.statement(sql), params as unknown[])
}
