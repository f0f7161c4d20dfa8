// A receiver of webhooks on loopback that misbehaves on demand, and remembers every message that reached it.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import { type Origin, startOrigin } from './origin.ts'

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown

export interface Receiver extends AsyncDisposable {
  readonly url: string
  readonly origin: Origin
  readonly received: readonly Received[]
  /** How the next messages are answered. */
  answer: Answer
}

export const TAKEN: Answer = (_request, response) => response.writeHead(204).end()

/** Ways to fail that a receiver has while it can be reached at all. */
export const WAYS_TO_FAIL: Readonly<Record<string, Answer>> = {
  'answers 500': (_request, response) => response.writeHead(500).end('oops'),
  'answers 404': (_request, response) => response.writeHead(404).end(),
  'asks for patience with 429': (_request, response) => response.writeHead(429, { 'retry-after': '7' }).end(),
  'redirects for good': (_request, response) => response.writeHead(308, { location: '/elsewhere' }).end(),
  'redirects for now': (_request, response) => response.writeHead(302, { location: '/elsewhere' }).end(),
  'answers 304': (_request, response) => response.writeHead(304).end(),
  'cuts the connection before a word': (request) => request.socket.destroy(),
  'cuts the connection within the headers': (request) => {
    request.socket.write('HTTP/1.1 200 OK\r\nconte')
    request.socket.end()
  },
  'speaks no HTTP': (request) => request.socket.end('220 mail.example ESMTP\r\n'),
  'never answers': () => {},
}

export async function startReceiver(host = '127.0.0.7'): Promise<Receiver> {
  const origin = await startOrigin({ host })
  const received: Received[] = []
  const receiver: Receiver = {
    ...{ url: `${origin.url}/hook`, origin, received, answer: TAKEN },
    [Symbol.asyncDispose]: () => origin.close(),
  }
  origin.route('/hook', async (request, response) => {
    request.setEncoding('utf8')
    let body = ''
    for await (const chunk of request) body += chunk
    received.push({ headers: request.headers, body })
    return receiver.answer(request, response)
  })
  return receiver
}

/** Takes connections and says nothing, as a stuck machine does. Counts them. */
export async function startMute(host = '127.0.0.8') {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://${host}:${port}/`,
    get connected() {
      return sockets.size
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
