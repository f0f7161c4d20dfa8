// Which errors tell that PostgreSQL cannot be reached, rather than that something was wrong with a statement; and the log
// lines about it: one when it goes, one when it is back, however many ask it meanwhile.
import { isStoreAway, type StoreIsAway } from '../../domain/problem.ts'
import type { Log } from '../../ports/log.ts'

/** Of sockets and name look-ups. */
const UNREACHABLE = new Set(
  'ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN'.split(' '),
)
/** Connection exceptions, a transaction ended for its long silence, too many connections, the server ending or starting. */
const BY_SERVER = /^(?:08...|25P03|53300|57P0[123])$/
/** The driver's own, which have no code. */
const BY_DRIVER =
  /^(?:timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client has encountered a connection error)/

/** Where it answers some and refuses others (too many connections), it is not back yet. */
const QUIET_MS = 5_000

export class Reach {
  readonly #log: Log | undefined
  readonly #now: () => number
  /** What keeps it from being reached at all is told by whoever starts. */
  #hasAnswered = false
  #awaySince: number | null = null
  #refusedAt = 0

  constructor(log: Log | undefined, now = () => performance.now()) {
    this.#log = log
    this.#now = now
  }

  answered(): void {
    this.#hasAnswered = true
    if (this.#awaySince === null || this.#now() - this.#refusedAt < QUIET_MS) return
    const afterSeconds = Math.round((this.#now() - this.#awaySince) / 1000)
    this.#awaySince = null
    this.#log?.info({ afterSeconds }, `PostgreSQL answers again, after ${afterSeconds} s`)
  }

  /** Throws the same error, marked where it is one of these. */
  readonly refused = (error: unknown): never => {
    const marked = markedIfAway(error)
    if (isStoreAway(marked)) this.#away(marked as Error)
    throw marked
  }

  #away({ message: reason }: Error): void {
    this.#refusedAt = this.#now()
    if (this.#awaySince !== null || !this.#hasAnswered) return
    this.#awaySince = this.#refusedAt
    this.#log?.error(
      { reason },
      'PostgreSQL cannot be reached: whatever needs it waits, or is refused, until it answers',
    )
  }
}

function markedIfAway(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { code = '' } = error as { code?: string }
  const isAway = UNREACHABLE.has(code) || BY_SERVER.test(code) || BY_DRIVER.test(error.message)
  return isAway ? Object.assign(error, { storeIsAway: true } satisfies StoreIsAway) : error
}
