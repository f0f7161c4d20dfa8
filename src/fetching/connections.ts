// Which connections exist: kept alive per origin, at most a few each, and not for more origins than the limit.
// A request that may reach private networks never shares a connection with one that may not: the guard judged the
// address for whoever opened it, so each degree of trust has its own pools. Messages have their own as well: receivers
// on one host must not wait for each other, and their sender counts how many are under way.
// Behind a proxy there is one agent for all hosts, because the proxy makes the connections.
import { type Dispatcher, Pool, ProxyAgent } from 'undici'
import type { Trust } from '../ports/fetcher.ts'
import type { AddressGuard } from './address-guard.ts'
import { createConnector } from './connect.ts'
import type { Names } from './names.ts'

export interface Connections {
  /** Give it back with `release` when the exchange is over. */
  lease(origin: string, trusted: Trust, use?: Use): Lease
  close(): Promise<void>
}

/** A message is posted, a question is anything else. */
export type Use = 'question' | 'message'

export interface Lease {
  readonly dispatcher: Dispatcher
  readonly throughProxy: boolean
  /** No connection was opened since the lease was taken: what was asked went out on one kept alive. */
  reused(): boolean
  release(): void
}

export interface ConnectionOptions {
  readonly names: Names
  readonly guard: AddressGuard
  readonly connectMs: number
  readonly proxy: string | null
  readonly maxOrigins?: number
}

/** HTTP/1.1 only. A short idle time, because a server that hangs up just then would cost a failed poll. */
const WIRE = {
  allowH2: false,
  pipelining: 1,
  keepAliveTimeout: 4_000,
  keepAliveMaxTimeout: 60_000,
  maxHeaderSize: 64 * 1024,
  headersTimeout: 0,
  bodyTimeout: 0,
} as const
const CONNECTIONS_PER_ORIGIN: Readonly<Record<Use, number>> = { question: 8, message: 128 }
const MAX_ORIGINS = 256

interface Kept {
  readonly pool: Pool
  leases: number
  opened: number
}

export function createConnections(options: ConnectionOptions): Connections {
  return options.proxy === null ? direct(options) : throughProxy(options.proxy, options.connectMs)
}

function direct({ names, guard, connectMs, maxOrigins = MAX_ORIGINS }: ConnectionOptions): Connections {
  // In order of last use.
  const kept = new Map<string, Kept>()

  function closeIdle(): void {
    for (const [key, { leases, pool }] of kept) {
      if (kept.size <= maxOrigins) return
      if (leases > 0) continue
      kept.delete(key)
      pool.destroy().catch(() => {})
    }
  }

  function open(origin: string, trusted: Trust, use: Use): Kept {
    const connect = createConnector({ names, guard, trusted, limitMs: connectMs })
    const counted: typeof connect = (target, callback) => {
      entry.opened++
      return connect(target, callback)
    }
    const pool = new Pool(origin, { ...WIRE, connect: counted, connections: CONNECTIONS_PER_ORIGIN[use] })
    const entry: Kept = { pool, leases: 0, opened: 0 }
    return entry
  }

  return {
    lease: (origin, trusted, use = 'question') => {
      const key = `${use} ${trusted} ${origin}`
      const entry = kept.get(key) ?? open(origin, trusted, use)
      const openedBefore = entry.opened
      entry.leases++
      kept.delete(key)
      kept.set(key, entry)
      closeIdle()
      return {
        dispatcher: entry.pool,
        throughProxy: false,
        reused: () => entry.opened === openedBefore,
        release: () => {
          entry.leases--
        },
      }
    },
    close: async () => {
      const pools = [...kept.values()].map(({ pool }) => pool.destroy())
      kept.clear()
      await Promise.all(pools)
    },
  }
}

function throughProxy(proxy: string, connectMs: number): Connections {
  const agentFor = (use: Use) =>
    new ProxyAgent({ ...WIRE, uri: proxy, connectTimeout: connectMs, connections: CONNECTIONS_PER_ORIGIN[use] })
  const agents = { question: agentFor('question'), message: agentFor('message') }
  const rest = { throughProxy: true, reused: () => false, release: () => {} }
  return {
    lease: (_origin, _trusted, use = 'question') => ({ dispatcher: agents[use], ...rest }),
    close: async () => {
      await Promise.all([agents.question.destroy(), agents.message.destroy()])
    },
  }
}
