// Tells errors that mean "PostgreSQL cannot be reached" from errors of a statement, and marks the former.
// Logs one line when the server becomes unreachable and one when it answers again, however many queries fail between.
import { isStoreAway, type StoreIsAway } from '../../domain/problem.ts'
import type { Log } from '../../ports/log.ts'

/** Errors of sockets and name look-ups. */
const UNREACHABLE = new Set(
  'ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN'.split(' '),
)
/**
 * Connection exceptions, a server that takes no writes, an idle transaction that was ended, a full disk, too many
 * connections, a server that stops or starts, a dropped database, an idle session that was ended, a disk that fails.
 */
const BY_SERVER = /^(?:08...|25006|25P03|53100|53300|57P0[1-5]|58030)$/
const DISK_FULL = '53100'
/** Errors of the driver, which have no code. */
const BY_DRIVER =
  /^(?:timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client has encountered a connection error)/

/** A server that has too many connections answers some queries and refuses others. It is back after 5 s without an error. */
const QUIET_MS = 5_000

export class PostgresAvailability {
  readonly #log: Log | undefined
  readonly #now: () => number
  /** Before the first answer nothing is logged: the start itself fails and reports why. */
  #hasAnswered = false
  #awaySince: number | null = null
  #lastErrorAt = 0

  constructor(log: Log | undefined, now = () => performance.now()) {
    this.#log = log
    this.#now = now
  }

  onAnswer(): void {
    this.#hasAnswered = true
    if (this.#awaySince === null || this.#now() - this.#lastErrorAt < QUIET_MS) return
    const afterSeconds = Math.round((this.#now() - this.#awaySince) / 1000)
    this.#awaySince = null
    this.#log?.info({ afterSeconds }, `PostgreSQL answers again, after ${afterSeconds} s`)
  }

  /** Throws the same error, marked if it means that the server cannot be reached. */
  readonly onError = (error: unknown): never => {
    const marked = markIfAway(error)
    if (isStoreAway(marked)) this.#reportAway(marked as Error)
    throw marked
  }

  #reportAway({ message: reason }: Error): void {
    this.#lastErrorAt = this.#now()
    if (this.#awaySince !== null || !this.#hasAnswered) return
    this.#awaySince = this.#lastErrorAt
    this.#log?.error({ reason }, 'PostgreSQL cannot be reached: polls wait and requests are refused until it answers')
  }
}

function markIfAway(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { code = '' } = error as { code?: string }
  const isAway = UNREACHABLE.has(code) || BY_SERVER.test(code) || BY_DRIVER.test(error.message)
  if (!isAway) return error
  const full = code === DISK_FULL ? ({ storageFull: true } as const) : {}
  return Object.assign(error, { storeIsAway: true, ...full } satisfies StoreIsAway)
}
