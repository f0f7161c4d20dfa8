// Events as a stream of server-sent frames.
// Rows are read only while the reader has room, so a slow reader costs a position and one buffer. Frames are collected
// and sent in turn with other streams (send-queue.ts). A reader that takes nothing for a while gets a notice and is
// dropped, so that it does not hold a connection for ever; it can come back and resume. These limits are in real time,
// because they protect sockets.
// See docs/decisions/0084-slow-event-readers-are-dropped.md
import { Readable } from 'node:stream'
import { eventView } from '../../catalogue/consumers/reading.ts'
import type { StoredEvent } from '../../domain/event.ts'
import type { EventSource } from '../parts.ts'
import { sendInTurn } from './send-queue.ts'

export interface StreamLimits {
  readonly heartbeatMs: number
  /** A reader that takes nothing for this long is dropped with a notice. */
  readonly dropAfterMs: number
  /** A dropped reader has this long to read the notice. Then the connection is closed, maybe within a frame. */
  readonly closeAfterMs: number
}

export const LIMITS: StreamLimits = { heartbeatMs: 15_000, dropAfterMs: 60_000, closeAfterMs: 40_000 }

/** Frames are collected up to this length before they are sent. */
const MAX_PENDING_CHARACTERS = 16 * 1024

/** What the stream itself holds for a reader that does not take it. The socket below it has a buffer of its own. */
const BUFFERED_BYTES = 16 * 1024

type Subscription = Omit<Parameters<EventSource['subscribe']>[0], 'onGap'>

export function eventStream(events: EventSource, subscription: Subscription, limits: StreamLimits = LIMITS): Readable {
  return new EventStream(events, subscription, limits)
}

class EventStream extends Readable {
  readonly #limits: StreamLimits
  readonly #over = new AbortController()
  readonly #heartbeat: NodeJS.Timeout
  readonly #rows: AsyncIterator<StoredEvent>
  #fullSince: number | null = null
  #pending = ''
  #isReadingRow = false
  #ended = false

  constructor(events: EventSource, { signal, ...subscription }: Subscription, limits: StreamLimits) {
    super({ highWaterMark: BUFFERED_BYTES })
    this.#limits = limits
    this.#heartbeat = setInterval(() => this.#beat(), limits.heartbeatMs)
    this.#rows = events.subscribe({
      ...subscription,
      signal: signal ? AbortSignal.any([signal, this.#over.signal]) : this.#over.signal,
      onGap: (after, until) => this.#collect(noticeOf('gap', { after, until })),
    })
    // Sent at once, so that a client knows that it is listening.
    this.#send(': listening\n\n')
  }

  override _read(): void {
    this.#fullSince = null
    this.#readRow()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#ended = true
    clearInterval(this.#heartbeat)
    this.#over.abort()
    void this.#rows.return?.()
    done(error)
  }

  #readRow(): void {
    const isFull = this.#fullSince !== null || this.#pending.length >= MAX_PENDING_CHARACTERS
    if (this.#isReadingRow || this.#ended || isFull) return
    this.#isReadingRow = true
    this.#rows.next().then(
      ({ done, value }) => {
        this.#isReadingRow = false
        if (done) return this.#end()
        this.#collect(frameOf(value))
        this.#readRow()
      },
      (error) => this.destroy(error),
    )
  }

  #collect(frame: string): void {
    if (this.#pending === '') sendInTurn(() => this.#sendPending())
    this.#pending += frame
  }

  #sendPending(): void {
    if (this.#pending !== '') this.#send(this.#pending)
    this.#pending = ''
    this.#readRow()
  }

  #send(frames: string | null): void {
    if (this.#ended) return
    this.#ended = frames === null
    const hasRoom = this.push(frames)
    if (!hasRoom) this.#fullSince ??= performance.now()
  }

  #end(): void {
    if (this.#pending !== '') this.#send(this.#pending)
    this.#pending = ''
    this.#send(null)
  }

  #beat(): void {
    if (this.#fullSince === null) this.#send(': still here\n\n')
    else if (performance.now() - this.#fullSince >= this.#limits.dropAfterMs) this.#drop()
  }

  #drop(): void {
    clearInterval(this.#heartbeat)
    this.#send(noticeOf('dropped', { reason: 'too slow; come back with Last-Event-ID' }))
    this.#send(null)
    const error = new Error('a reader of events took nothing')
    const timer = setTimeout(() => this.destroy(error), this.#limits.closeAfterMs)
    this.once('close', () => clearTimeout(timer))
  }
}

/** Listeners share the rows that they read at the same time, so the frame of each is written once. */
const frames = new WeakMap<StoredEvent, string>()

function frameOf(event: StoredEvent): string {
  const known = frames.get(event)
  if (known !== undefined) return known
  const { id, ...data } = eventView(event)
  const frame = `event: ${event.type}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`
  frames.set(event, frame)
  return frame
}

/** A message about the stream itself. It has no id, so the position of the reader does not change. */
function noticeOf(type: 'gap' | 'dropped', about: Readonly<Record<string, string>>): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...about })}\n\n`
}
