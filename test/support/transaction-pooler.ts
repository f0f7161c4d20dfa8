// A connection pooler in transaction mode, as PgBouncer is one: each transaction of a client goes to another connection of
// the server, and what a session keeps (prepared statements, settings, locks) is left behind there. It knows nothing of
// prepared statements, as poolers of older versions do.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

const SSL_REQUEST = 80877103
const READY = 'Z'
const TERMINATE = 'X'

export interface Pooler extends AsyncDisposable {
  /** Of the same database, through the pooler. */
  readonly url: string
  /** How often a client went on with another connection than the one before. */
  readonly changes: () => number
}

export async function startPooler(database: string): Promise<Pooler> {
  const { hostname, port } = new URL(database)
  const sockets = new Set<Socket>()
  const idle: Socket[] = []
  const waiting: (() => void)[] = []
  let changes = 0
  const track = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket
      .setNoDelay()
      .on('error', () => {})
      .on('close', () => void sockets.delete(socket))
  }
  const give = (server: Socket): void => {
    idle.push(server)
    waiting.shift()?.()
  }

  const server = createServer((client) => {
    track(client)
    const session = track(connect(Number(port), hostname))
    let own: Socket | null = session
    let last: Socket = session
    let isWaiting = false
    const unsent: Buffer[] = []
    const listen = (to: Socket): void => {
      to.removeAllListeners('data')
      to.on(
        'data',
        framesOf((frame) => onServer(to, frame)),
      )
    }
    const onServer = (from: Socket, frame: Buffer): void => {
      client.write(frame)
      // In a transaction the client keeps it.
      if (frame.toString('latin1', 0, 1) !== READY || frame.toString('latin1', 5, 6) !== 'I') return
      own = null
      last = from
      give(from)
      send()
    }
    const send = (): void => {
      if (unsent.length === 0) return
      if (!own) {
        // Whichever is not the one before; so nothing is found where it was left.
        const place = Math.max(
          0,
          idle.findIndex((socket) => socket !== last),
        )
        own = idle.splice(place, 1)[0] ?? null
        if (!own) {
          if (!isWaiting) waiting.push(again)
          isWaiting = true
          return
        }
        if (own !== last) changes++
        listen(own)
      }
      own.write(Buffer.concat(unsent.splice(0)))
    }
    const again = (): void => {
      isWaiting = false
      send()
    }
    // A transaction that its client left is rolled back with its connection, as PgBouncer does.
    client.on('close', () => own?.destroy())
    listen(session)
    let isStarted = false
    client.on('data', (data) => {
      if (!isStarted && data.length === 8 && data.readInt32BE(4) === SSL_REQUEST) return void client.write('N')
      // The session is the client's own until the server is ready for its first statement.
      isStarted = true
      if (data.toString('latin1', 0, 1) === TERMINATE && data.length === 5) return void client.end()
      unsent.push(data)
      send()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(database)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    changes: () => changes,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Messages of the server, each whole: a letter, its length, its content. */
function framesOf(each: (frame: Buffer) => void): (data: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (data) => {
    rest = rest.length === 0 ? data : Buffer.concat([rest, data])
    while (rest.length >= 5) {
      const length = 1 + rest.readInt32BE(1)
      if (rest.length < length) return
      each(rest.subarray(0, length))
      rest = rest.subarray(length)
    }
  }
}
