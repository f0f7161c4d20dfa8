// A DNS server on loopback that answers A and AAAA as told: what real ones do, and what bad ones do.
import { createSocket } from 'node:dgram'

export type Reply =
  | { readonly addresses: readonly string[]; readonly ttlSeconds?: number }
  | 'nxdomain'
  | 'servfail'
  | 'silence'

/** `type` is 1 for A and 28 for AAAA. */
export type Zone = (name: string, type: number) => Reply

export interface NameServer extends AsyncDisposable {
  readonly address: string
  readonly questions: readonly string[]
}

export async function startNameServer(zone: Zone, host = '127.0.0.53'): Promise<NameServer> {
  const socket = createSocket('udp4')
  const questions: string[] = []
  socket.on('message', (message, from) => {
    const { name, type, end } = readQuestion(message)
    questions.push(`${name} ${type === 28 ? 'AAAA' : 'A'}`)
    const reply = zone(name, type)
    if (reply !== 'silence') socket.send(answer(message, end, type, reply), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, host, resolve))
  return {
    address: `${host}:${socket.address().port}`,
    questions,
    [Symbol.asyncDispose]: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}

function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let offset = 12
  for (let length = message.readUInt8(offset); length > 0; length = message.readUInt8(offset)) {
    labels.push(message.toString('ascii', offset + 1, offset + 1 + length))
    offset += 1 + length
  }
  return { name: labels.join('.'), type: message.readUInt16BE(offset + 1), end: offset + 5 }
}

function answer(question: Buffer, end: number, type: number, reply: Exclude<Reply, 'silence'>): Buffer {
  const code = reply === 'nxdomain' ? 3 : reply === 'servfail' ? 2 : 0
  const { addresses, ttlSeconds = 60 } = typeof reply === 'object' ? reply : { addresses: [] }
  const fitting = addresses.filter((address) => address.includes(':') === (type === 28))
  const head = Buffer.alloc(12)
  head.writeUInt16BE(question.readUInt16BE(0), 0)
  head.writeUInt16BE(0x8180 | code, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(fitting.length, 6)
  return Buffer.concat([
    head,
    question.subarray(12, end),
    ...fitting.map((address) => record(address, type, ttlSeconds)),
  ])
}

function record(address: string, type: number, ttlSeconds: number): Buffer {
  const data = type === 28 ? ipv6(address) : Buffer.from(address.split('.').map(Number))
  const fixed = Buffer.alloc(12)
  // A pointer to the name in the question.
  fixed.writeUInt16BE(0xc00c, 0)
  fixed.writeUInt16BE(type, 2)
  fixed.writeUInt16BE(1, 4)
  fixed.writeUInt32BE(ttlSeconds, 6)
  fixed.writeUInt16BE(data.length, 10)
  return Buffer.concat([fixed, data])
}

function ipv6(address: string): Buffer {
  const [head = '', tail = ''] = address.split('::')
  const groups = (part: string) => (part ? part.split(':').map((group) => Number.parseInt(group, 16)) : [])
  const [front, back] = [groups(head), groups(tail)]
  const all = [...front, ...new Array<number>(8 - front.length - back.length).fill(0), ...back]
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]))
}
