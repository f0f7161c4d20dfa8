// Listens on every address of a name: `localhost` is 127.0.0.1 and ::1. Further sockets hand their connections to the one
// server, so that its limits on connections count for all of them.
import { lookup } from 'node:dns/promises'
import type { Server as HttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'

/** The first one is where the server itself listens. */
export async function addressesToListenOn(host: string): Promise<readonly [string, ...string[]]> {
  if (host !== 'localhost') return [host]
  const found = await lookup(host, { all: true }).catch(() => [])
  const [first = host, ...others] = new Set(found.map(({ address }) => address))
  return [first, ...others]
}

/** On the port that the server listens on. An address that cannot be had is left out. Returns how to stop. */
export async function listenToo(server: HttpServer, addresses: readonly string[]): Promise<() => void> {
  const { port } = server.address() as AddressInfo
  const listening: Server[] = []
  for (const host of addresses) {
    const other = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket))
    const isListening = await new Promise<boolean>((resolve) => {
      other.once('error', () => resolve(false))
      other.listen({ host, port }, () => resolve(true))
    })
    // An accept that fails is no reason to end: the client is told by its own system.
    other.on('error', () => {})
    if (isListening) listening.push(other)
  }
  return () => {
    for (const other of listening) other.close()
  }
}
