// Pools of kept-alive connections, one per origin, with a limit on connections and on origins.
// - Each level of trust has its own pools: the guard checked the address for the request that opened the connection,
//   so a request that may not reach private networks must not reuse it.
// - POST requests (webhooks) have their own pools, so that receivers on one host do not wait for each other.
//   Their sender limits how many are in flight.
// - Behind a proxy one agent serves all hosts, because the proxy makes the connections.
// See docs/decisions/0040-http-1-1-only.md
import { type Dispatcher, Pool, ProxyAgent } from 'undici'
import type { Trust } from '../ports/fetcher.ts'
import type { AddressGuard } from './address-guard.ts'
import { createConnector } from './connect.ts'
import type { NameLookup } from './name-lookup.ts'

export interface Connections {
  /** The caller must call `release` after the exchange. */
  lease(origin: string, trusted: Trust, kind?: RequestKind): Lease
  close(): Promise<void>
}

export type RequestKind = 'get' | 'post'

export interface Lease {
  readonly dispatcher: Dispatcher
  readonly throughProxy: boolean
  /** Whether the request used a kept-alive connection: no connection was opened since the lease was taken. */
  reused(): boolean
  release(): void
}

export interface ConnectionOptions {
  readonly names: NameLookup
  readonly guard: AddressGuard
  readonly connectMs: number
  readonly proxy: string | null
  readonly maxOrigins?: number
}

/** HTTP/1.1 only. The idle time is short, because a server may close an idle connection just when it is used again. */
const HTTP_OPTIONS = {
  allowH2: false,
  pipelining: 1,
  keepAliveTimeout: 4_000,
  keepAliveMaxTimeout: 60_000,
  maxHeaderSize: 64 * 1024,
  headersTimeout: 0,
  bodyTimeout: 0,
} as const
const CONNECTIONS_PER_ORIGIN: Readonly<Record<RequestKind, number>> = { get: 8, post: 128 }
const MAX_ORIGINS = 256

interface PoolEntry {
  readonly pool: Pool
  leases: number
  opened: number
}

export function createConnections(options: ConnectionOptions): Connections {
  return options.proxy === null ? new DirectConnections(options) : throughProxy(options.proxy, options.connectMs)
}

class DirectConnections implements Connections {
  readonly #options: ConnectionOptions
  /** The least recently used pool comes first. */
  readonly #pools = new Map<string, PoolEntry>()

  constructor(options: ConnectionOptions) {
    this.#options = options
  }

  lease(origin: string, trusted: Trust, kind: RequestKind = 'get'): Lease {
    const key = `${kind} ${typeof trusted === 'object' ? `from ${trusted.typedHost}` : trusted} ${origin}`
    const entry = this.#pools.get(key) ?? this.#openPool(origin, trusted, kind)
    const openedBefore = entry.opened
    entry.leases++
    this.#pools.delete(key)
    this.#pools.set(key, entry)
    this.#closeIdle()
    return {
      dispatcher: entry.pool,
      throughProxy: false,
      reused: () => entry.opened === openedBefore,
      release: () => {
        entry.leases--
      },
    }
  }

  async close(): Promise<void> {
    const closing = [...this.#pools.values()].map(({ pool }) => pool.destroy())
    this.#pools.clear()
    await Promise.all(closing)
  }

  #openPool(origin: string, trusted: Trust, kind: RequestKind): PoolEntry {
    const { names, guard, connectMs } = this.#options
    const connect = createConnector({ names, guard, trusted, limitMs: connectMs })
    const countingConnect: typeof connect = (target, callback) => {
      entry.opened++
      return connect(target, callback)
    }
    const connections = CONNECTIONS_PER_ORIGIN[kind]
    const pool = new Pool(origin, { ...HTTP_OPTIONS, connect: countingConnect, connections })
    const entry: PoolEntry = { pool, leases: 0, opened: 0 }
    return entry
  }

  /** Closes pools without a lease until the limit on origins holds. */
  #closeIdle(): void {
    const { maxOrigins = MAX_ORIGINS } = this.#options
    for (const [key, { leases, pool }] of this.#pools) {
      if (this.#pools.size <= maxOrigins) return
      if (leases > 0) continue
      this.#pools.delete(key)
      pool.destroy().catch(() => {})
    }
  }
}

function throughProxy(proxy: string, connectMs: number): Connections {
  const agentFor = (kind: RequestKind) =>
    new ProxyAgent({
      ...HTTP_OPTIONS,
      uri: proxy,
      connectTimeout: connectMs,
      connections: CONNECTIONS_PER_ORIGIN[kind],
    })
  const agents = { get: agentFor('get'), post: agentFor('post') }
  const rest = { throughProxy: true, reused: () => false, release: () => {} }
  return {
    lease: (_origin, _trusted, kind = 'get') => ({ dispatcher: agents[kind], ...rest }),
    close: async () => {
      await Promise.all([agents.get.destroy(), agents.post.destroy()])
    },
  }
}
