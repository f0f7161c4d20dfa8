// The stream of events over a real socket, to readers that read and readers that do not.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
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

/** Real time under the test's control: that of the limits on sockets, not that of the sockets. */
function controlTime(t: TestContext): { pass(ms: number): void } {
  let now = 0
  t.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] })
  t.mock.method(performance, 'now', () => now)
  return {
    pass(ms) {
      // Second by second: whoever looks at the time in between sees it.
      for (let passed = 0; passed < ms; passed += 1000) {
        now += 1000
        t.mock.timers.tick(1000)
      }
    },
  }
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

/** Waits until nothing more is asked for: the buffers on the way to the reader are full. */
async function untilStuck(events: { readonly given: number }): Promise<void> {
  for (let quietTurns = 0, last = -1; quietTurns < 200; last = events.given) {
    await nextTurn()
    quietTurns = events.given > 0 && events.given === last ? quietTurns + 1 : 0
  }
}

test('a reader that stops reading is dropped with a notice, which it still gets after a minute and a half', async (t) => {
  const events = endless()
  const time = controlTime(t)
  await serve(events, LIMITS, async (socket) => {
    socket.pause()
    await untilStuck(events)
    const whenStuck = events.given
    assert.equal(events.ended, false)
    time.pass(90_000)
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => {
      text = `${text}${chunk}`.slice(-5000)
    })
    socket.resume()
    while (!text.includes('0\r\n\r\n')) await nextTurn()
    assert.match(
      text,
      /event: dropped\ndata: \{"type":"dropped","reason":"too slow; come back with Last-Event-ID"\}\n\n/,
    )
    assert.ok(events.given <= whenStuck + 1, 'nothing was read for it after it got stuck')
    while (!events.ended) await nextTurn()
  })
})

test('a reader that never comes back loses its connection', async (t) => {
  const events = endless()
  const time = controlTime(t)
  await serve(events, LIMITS, async (socket) => {
    socket.pause()
    await untilStuck(events)
    time.pass(LIMITS.dropAfterMs + LIMITS.heartbeatMs)
    assert.equal(events.ended, false, 'it may still come back')
    time.pass(LIMITS.closeAfterMs)
    while (!events.ended) await nextTurn()
    let end = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      end = `${end}${chunk}`.slice(-10)
    })
    socket.resume()
    while (!socket.destroyed && !socket.readableEnded) await nextTurn()
    assert.ok(!end.endsWith('0\r\n\r\n'), 'it was cut off, not ended')
  })
})

test('a quiet stream shows that it is alive', async (t) => {
  const quiet: EventSource = {
    async *subscribe({ signal }): AsyncGenerator<StoredEvent> {
      await new Promise((resolve) => signal?.addEventListener('abort', resolve))
    },
  }
  const time = controlTime(t)
  await serve(quiet, LIMITS, async (socket) => {
    let text = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    while (!text.includes(': listening\n\n')) await nextTurn()
    time.pass(3 * LIMITS.heartbeatMs)
    while (text.split(': still here\n\n').length <= 3) await nextTurn()
    assert.equal(text.split(': still here\n\n').length - 1, 3)
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
