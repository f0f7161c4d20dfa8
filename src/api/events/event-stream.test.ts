// The stream of events over a real socket, to readers that read and readers that do not.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { until } from '../../../test/support/until.ts'
import type { StoredEvent } from '../../domain/event.ts'
import type { EventSource } from '../parts.ts'
import { eventStream, LIMITS, type StreamLimits } from './event-stream.ts'

/** As many events as anybody takes, a kilobyte each, and how many were asked for. */
function endless(): EventSource & { given: number; ended: boolean } {
  const events = {
    given: 0,
    ended: false,
    async *subscribe({ signal }: Parameters<EventSource['subscribe']>[0]): AsyncGenerator<StoredEvent> {
      try {
        while (!signal?.aborted) {
          const id = String(++events.given)
          const about = { at: 0, userId: null, podcastId: null, sourceId: null, host: null }
          yield { id, type: 'poll.finished', ...about, data: { reason: 'x'.repeat(1000) } }
        }
      } finally {
        events.ended = true
      }
    },
  }
  return events
}

async function serve(events: EventSource, limits: StreamLimits, body: (socket: Socket) => Promise<void>) {
  const server = createServer((_request, response) => {
    const stream = eventStream(events, {}, limits)
    stream.on('error', () => response.destroy())
    response.on('close', () => stream.destroy())
    stream.pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  try {
    await body(socket)
  } finally {
    socket.destroy()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
}

test('a reader that stops reading is dropped with a notice, and little is buffered for it', async () => {
  const events = endless()
  const limits = { heartbeatMs: 20, dropAfterMs: 200, closeAfterMs: 60_000 }
  await serve(events, limits, async (socket) => {
    socket.pause()
    let last = -1
    await until('nothing more is asked for', async () => {
      const before = last
      last = events.given
      await new Promise((resolve) => setTimeout(resolve, 300))
      return events.given > 0 && before === events.given
    })
    const whenStuck = events.given
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => {
      text = `${text}${chunk}`.slice(-5000)
    })
    socket.resume()
    await until('the stream is over', () => text.includes('0\r\n\r\n'))
    assert.match(
      text,
      /event: dropped\ndata: \{"type":"dropped","reason":"too slow; come back with Last-Event-ID"\}\n\n/,
    )
    assert.ok(events.given <= whenStuck + 1)
    await until('the subscription is over', () => events.ended)
  })
})

test('a reader that continues after a minute and a half still gets the notice', () => {
  assert.ok(LIMITS.dropAfterMs + LIMITS.closeAfterMs > 90_000)
})

test('a reader that never comes back loses its connection', async () => {
  const events = endless()
  await serve(events, { heartbeatMs: 20, dropAfterMs: 100, closeAfterMs: 100 }, async (socket) => {
    socket.pause()
    await until('the subscription is over', () => events.ended)
    socket.resume()
    await until('the connection is over', () => socket.destroyed || socket.readableEnded)
  })
})

test('a quiet stream shows that it is alive', async () => {
  const quiet: EventSource = {
    async *subscribe({ signal }): AsyncGenerator<StoredEvent> {
      await new Promise((resolve) => signal?.addEventListener('abort', resolve))
    },
  }
  await serve(quiet, { heartbeatMs: 10, dropAfterMs: 100, closeAfterMs: 100 }, async (socket) => {
    let text = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    await until('it was heard thrice', () => text.split(': still here\n\n').length > 3)
    assert.match(text, /: listening\n\n/)
  })
})

test('readers that resume at the same time are served one per turn of the event loop', async () => {
  const wanted = 200
  const streams = Array.from({ length: 30 }, () => {
    const events = endless()
    const stream = eventStream(events, {}).setEncoding('utf8')
    return { stream, text: '' }
  })
  let thisTurn = 0
  let most = 0
  for (const one of streams) {
    one.stream.on('data', (frames: string) => {
      one.text += frames
      thisTurn += frames.length
      if (one.text.includes(`id: ${wanted}\n`)) one.stream.destroy()
    })
  }
  while (streams.some(({ stream }) => !stream.destroyed)) {
    await new Promise((resolve) => setImmediate(resolve))
    most = Math.max(most, thisTurn)
    thisTurn = 0
  }
  // Either the first frame of all streams, or the collected frames of one, with one frame over the limit.
  assert.ok(most < 20 * 1024, `${most} characters in one turn`)
  for (const { text } of streams) {
    const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))
    assert.deepEqual(
      ids.slice(0, wanted),
      Array.from({ length: wanted }, (_, index) => index + 1),
    )
  }
})
