// Keeps the number of open connections bounded, in all and for each address, and closes those whose client does nothing.
// - A new connection beyond the limit takes the place of the one that has been idle longest; only if none is idle is the
//   new one closed. So clients that connect and say nothing cannot keep others out.
// - A connection that waits for its client (for a request, the rest of a body, or the reading of an answer) and sees no
//   progress is destroyed. Ending it would not do: a client that never closes its side would hold it for ever. A body
//   that comes byte by byte is no progress.
// Real time, because this protects sockets. See docs/decisions/0113-idle-connections-give-way.md
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface ConnectionLimits {
  /** Connections at once. */
  readonly most: number
  /** Connections at once from one address. */
  readonly mostPerAddress: number
  /** A connection without progress is closed after this time, or one check later. */
  readonly idleMs: number
  readonly checkEveryMs: number
}

export const IDLE_LIMITS = { idleMs: 20_000, checkEveryMs: 5_000 } as const

/** Of a body, within the idle time. Even a bad line sends a hundred times as much. */
const LEAST_BODY_BYTES = 4096

interface Connection {
  readonly address: string
  exchange: { readonly request: IncomingMessage; readonly response: ServerResponse } | null
  /** Its body may still come when it was refused and answered long ago. */
  lastRequest: IncomingMessage | null
  /** Bytes in either direction, and when they last changed. */
  moved: number
  movedAt: number
}

export class OpenConnections {
  readonly #limits: ConnectionLimits
  readonly #open = new Map<Socket, Connection>()

  constructor(server: Server, limits: ConnectionLimits) {
    this.#limits = limits
    server.on('connection', (socket) => this.#add(socket))
    server.on('request', (request, response) => this.#exchange(request, response))
    const timer = setInterval(() => this.#closeIdle(), limits.checkEveryMs).unref()
    server.once('close', () => clearInterval(timer))
  }

  #add(socket: Socket): void {
    const address = socket.remoteAddress ?? ''
    const { most, mostPerAddress } = this.#limits
    const fromThere = [...this.#open].filter(([, other]) => other.address === address)
    if (fromThere.length >= mostPerAddress && !makeRoom(fromThere)) return void socket.destroy()
    if (this.#open.size >= most && !makeRoom(this.#open)) return void socket.destroy()
    this.#open.set(socket, { address, exchange: null, lastRequest: null, moved: 0, movedAt: performance.now() })
    socket.once('close', () => this.#open.delete(socket))
  }

  #exchange(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#open.get(request.socket)
    if (!connection) return
    const exchange = { request, response }
    connection.exchange = exchange
    connection.lastRequest = request
    response.once('close', () => {
      if (connection.exchange === exchange) connection.exchange = null
      connection.movedAt = performance.now()
    })
  }

  #closeIdle(): void {
    const now = performance.now()
    for (const [socket, connection] of this.#open) {
      const moved = socket.bytesRead + socket.bytesWritten - socket.writableLength
      const least = sendsBody(connection) ? LEAST_BODY_BYTES : 1
      if (moved - connection.moved >= least || !waitsForClient(connection)) {
        connection.moved = moved
        connection.movedAt = now
      } else if (now - connection.movedAt >= this.#limits.idleMs) socket.destroy()
    }
  }
}

/** Closes the connection that has been idle longest. Returns false if none is idle. */
function makeRoom(among: Iterable<readonly [Socket, Connection]>): boolean {
  let oldest: readonly [Socket, Connection] | null = null
  for (const entry of among) {
    const [socket, { exchange, movedAt }] = entry
    if (exchange !== null || socket.destroyed) continue
    if (oldest === null || movedAt < oldest[1].movedAt) oldest = entry
  }
  oldest?.[0].destroy()
  return oldest !== null
}

function waitsForClient(connection: Connection): boolean {
  const { exchange } = connection
  return exchange === null || sendsBody(connection) || exchange.response.writableEnded
}

function sendsBody({ lastRequest }: Connection): boolean {
  return lastRequest !== null && !lastRequest.complete
}
