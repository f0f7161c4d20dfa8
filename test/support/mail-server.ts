// A mail server on loopback that takes every message and remembers it. As much of SMTP as that needs.
import { createServer, type Socket } from 'node:net'

export async function startMailServer() {
  const messages: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let [received, inData] = ['', false]
    socket.write('220 test\r\n')
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      received += chunk
      for (;;) {
        const end = received.indexOf(inData ? '\r\n.\r\n' : '\r\n')
        if (end < 0) return
        const line = received.slice(0, end)
        received = received.slice(end + (inData ? 5 : 2))
        if (inData) messages.push(line)
        const begins = !inData && line === 'DATA'
        inData = begins
        socket.write(begins ? '354 go on\r\n' : '250 ok\r\n')
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    messages,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
