// Events as a stream of server-sent frames. Rows are asked for when the reader has room, so a slow reader costs a
// position and one buffer. Frames are gathered, and one reader is sent its own in a turn of the event loop: hundreds that
// resume at the same time must not hold up everything else. One that takes nothing for a while is dropped with a notice: it can come back and resume,
// and does not hold a connection for ever. Limits on sockets are real time.
import { Readable } from 'node:stream'
import { eventView } from '../../catalogue/consumers/reading.ts'
import type { StoredEvent } from '../../domain/event.ts'
import type { EventSource } from '../parts.ts'

export interface StreamLimits {
  readonly heartbeatMs: number
  /** Without room for so long, a reader is dropped. */
  readonly patienceMs: number
  /** So long the notice waits for a reader to go on; then the connection is cut, maybe within a frame. */
  readonly farewellMs: number
}

export const LIMITS: StreamLimits = { heartbeatMs: 15_000, patienceMs: 60_000, farewellMs: 40_000 }

/** No more than that is gathered until it is sent. */
const TOGETHER_CHARACTERS = 16 * 1024

type Subscription = Parameters<EventSource['subscribe']>[0]

export function eventStream(
  events: EventSource,
  { signal, ...subscription }: Omit<Subscription, 'onGap'>,
  limits: StreamLimits = LIMITS,
): Readable {
  const over = new AbortController()
  let fullSince: number | null = null
  let gathered = ''
  let asked = false
  let ended = false

  function push(frames: string | null): void {
    if (ended) return
    ended = frames === null
    const hasRoom = stream.push(frames)
    if (!hasRoom) fullSince ??= performance.now()
  }

  function gather(frame: string): void {
    if (gathered === '') inTurn(sendGathered)
    gathered += frame
  }

  function sendGathered(): void {
    if (gathered !== '') push(gathered)
    gathered = ''
    ask()
  }

  function end(): void {
    if (gathered !== '') push(gathered)
    gathered = ''
    push(null)
  }

  function ask(): void {
    if (asked || ended || fullSince !== null || gathered.length >= TOGETHER_CHARACTERS) return
    asked = true
    rows.next().then(
      ({ done, value }) => {
        asked = false
        if (done) return end()
        gather(frameOf(value))
        ask()
      },
      (error) => stream.destroy(error),
    )
  }

  function next(): void {
    fullSince = null
    ask()
  }

  function beat(): void {
    if (fullSince === null) push(': still here\n\n')
    else if (performance.now() - fullSince >= limits.patienceMs) drop()
  }

  function drop(): void {
    clearInterval(heartbeat)
    push(noticeOf('dropped', { reason: 'too slow; come back with Last-Event-ID' }))
    push(null)
    const cut = setTimeout(() => stream.destroy(new Error('a reader of events took nothing')), limits.farewellMs)
    stream.once('close', () => clearTimeout(cut))
  }

  const stream = new Readable({
    read: next,
    destroy(error, done) {
      ended = true
      clearInterval(heartbeat)
      over.abort()
      void rows.return?.()
      done(error)
    },
  })
  const heartbeat = setInterval(beat, limits.heartbeatMs)
  const rows = events.subscribe({
    ...subscription,
    signal: signal ? AbortSignal.any([signal, over.signal]) : over.signal,
    onGap: (after, until) => gather(noticeOf('gap', { after, until })),
  })
  // Sent at once, so that a client knows that it is listening.
  push(': listening\n\n')
  return stream
}

function frameOf(event: StoredEvent): string {
  const { id, ...data } = eventView(event)
  return `event: ${event.type}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`
}

/** About the stream itself. Without an id: where the reader stands does not change. */
function noticeOf(type: 'gap' | 'dropped', about: Readonly<Record<string, string>>): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...about })}\n\n`
}

const waiting: (() => void)[] = []

function inTurn(send: () => void): void {
  if (waiting.push(send) === 1) setImmediate(sendNext)
}

function sendNext(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(sendNext)
}
