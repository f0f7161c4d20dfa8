// A mail server on loopback that remembers every message it takes, with TLS from the start, with STARTTLS or without, and
// with a login if it is given one. As much of SMTP as that needs.
import { createServer, type Socket } from 'node:net'
import { createServer as createTlsServer, TLSSocket } from 'node:tls'
import type { Certificate } from './certificate.ts'

export interface MailServerOptions {
  readonly certificate?: Certificate
  /** TLS from the first byte (smtps) instead of STARTTLS. */
  readonly isSecure?: boolean
  readonly login?: { readonly user: string; readonly password: string }
  /** What the server says instead of its own answer to a line. `''`: nothing. */
  readonly answers?: (line: string) => string | null
  /** Whether the server takes a message that it has read. */
  readonly takes?: (message: string) => boolean
}

export interface ReceivedMail {
  readonly text: string
  readonly isEncrypted: boolean
  readonly hasLoggedIn: boolean
}

export async function startMailServer(options: MailServerOptions = {}) {
  const { certificate, isSecure = false } = options
  const received: ReceivedMail[] = []
  const sockets = new Set<Socket>()
  const serve = (socket: Socket) => {
    sockets.add(socket)
    socket.write('220 test\r\n')
    converse(socket, options, (mail) => received.push(mail))
  }
  const server = isSecure ? createTlsServer({ ...certificate }, serve) : createServer(serve)
  // A client that does not trust the certificate leaves in the middle of the handshake.
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `${isSecure ? 'smtps' : 'smtp'}://127.0.0.1:${address.port}`,
    received,
    get messages() {
      return received.map(({ text }) => text)
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function converse(socket: Socket, options: MailServerOptions, keep: (mail: ReceivedMail) => void): void {
  const { certificate, login } = options
  const isEncrypted = socket instanceof TLSSocket
  let [pending, inData, hasLoggedIn] = ['', false, false]
  const credentials = login ? Buffer.from(`\0${login.user}\0${login.password}`).toString('base64') : null
  const answerTo = (line: string): string => {
    const other = options.answers?.(line) ?? null
    if (other !== null) return other
    if (line.startsWith('EHLO')) return greeting([...(certificate && !isEncrypted ? ['STARTTLS'] : []), 'AUTH PLAIN'])
    if (line.startsWith('AUTH PLAIN ')) {
      hasLoggedIn = line.slice('AUTH PLAIN '.length) === credentials
      return hasLoggedIn ? '235 ok' : '535 5.7.8 wrong user or password'
    }
    if (line.startsWith('MAIL') && login && !hasLoggedIn) return '530 5.7.0 log in first'
    return line === 'DATA' ? '354 go on' : '250 ok'
  }
  const onData = (chunk: Buffer) => {
    pending += chunk
    for (;;) {
      const end = pending.indexOf(inData ? '\r\n.\r\n' : '\r\n')
      if (end < 0) return
      const line = pending.slice(0, end)
      pending = pending.slice(end + (inData ? 5 : 2))
      if (line === 'STARTTLS' && certificate) {
        socket.off('data', onData)
        socket.write('220 go on\r\n')
        converse(new TLSSocket(socket, { isServer: true, ...certificate }), options, keep)
        return
      }
      const isTaken = !inData || (options.takes?.(line) ?? true)
      if (inData && isTaken) keep({ text: line, isEncrypted, hasLoggedIn })
      socket.write(`${!isTaken ? '554 spam' : inData ? '250 ok' : answerTo(line)}\r\n`)
      inData = !inData && line === 'DATA'
    }
  }
  socket.on('error', () => {})
  socket.on('data', onData)
}

function greeting(offers: readonly string[]): string {
  return ['test', ...offers].map((line, index) => `250${index < offers.length ? '-' : ' '}${line}`).join('\r\n')
}
