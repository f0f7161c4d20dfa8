// MCP on standard input and output, for clients that start a program. It ends when the client closes its end, after the
// requests that it sent have been answered, or at once when the process is asked to end.
import { Readable, Writable } from 'node:stream'
import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { createMcpServer, type McpOptions } from './server.ts'

export interface McpStdio {
  readonly stdin: Readable
  readonly stdout: { write(text: string): unknown }
  readonly ending: AbortSignal
}

// Longer than any tool waits for its answer.
const FINISH_MS = 60_000

export async function serveStdio(options: McpOptions, { stdin, stdout, ending }: McpStdio): Promise<void> {
  const output = new Writable({
    decodeStrings: false,
    write(text, _encoding, written) {
      stdout.write(String(text))
      written()
    },
  })
  // The transport closes with its input. This input does not end, so that what was asked before is still answered.
  const input = new Readable({ read() {} })
  const transport = new StdioServerTransport(input, output)
  const server = createMcpServer(options)
  await server.connect(transport)
  const answered = trackAnswers(transport)
  stdin.on('data', (chunk) => input.emit('data', chunk))
  let late: NodeJS.Timeout | undefined
  await new Promise<void>((resolve) => {
    const finish = () => {
      late ??= setTimeout(resolve, FINISH_MS)
      answered().then(resolve)
    }
    stdin.once('end', finish)
    stdin.once('close', finish)
    if (stdin.readableEnded) finish()
    ending.addEventListener('abort', () => resolve(), { once: true })
    if (ending.aborted) resolve()
  })
  clearTimeout(late)
  await server.close()
}

/** Returns how to wait until every request that came in has been answered. */
function trackAnswers(transport: StdioServerTransport): () => Promise<void> {
  const open = new Set<string | number>()
  let told: () => void = () => {}
  const { onmessage, send } = transport
  transport.onmessage = (message: JSONRPCMessage) => {
    if ('method' in message && 'id' in message) open.add(message.id)
    // A cancelled request gets no answer.
    const cancelled = 'method' in message && message.method === 'notifications/cancelled' && message.params?.requestId
    if (cancelled) open.delete(cancelled as string | number)
    onmessage?.(message)
  }
  transport.send = async (message: JSONRPCMessage) => {
    await send.call(transport, message)
    if (!('method' in message) && message.id !== undefined) open.delete(message.id)
    if (open.size === 0) told()
  }
  return () =>
    new Promise((resolve) => {
      told = resolve
      if (open.size === 0) resolve()
    })
}
