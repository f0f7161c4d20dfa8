// Listeners to event rows. Each reads from the store at its own pace, so a slow one costs a position, not memory.
// The store wakes them after each commit of this process that wrote events; a look every second finds what other
// processes wrote. The store knows the newest event that was cleaned up, so a listener learns when it missed some. While
// the store does not answer, listeners keep their position and ask again.
import { type EventType, type StoredEvent, seenBy } from '../domain/event.ts'
import { isStoreAway } from '../domain/problem.ts'
import type { Log } from '../ports/log.ts'
import type { Store } from '../ports/store.ts'
import { SharedReads } from './shared-reads.ts'

/** A reader that does not take what it was sent holds so many rows. */
const BATCH = 50
const LOOK_EVERY_MS = 1000
/** An event that was just written can be read when every transaction that may come before it has ended. */
const LOOK_AGAIN_MS = 50

export interface Subscription {
  readonly types?: readonly EventType[] | undefined
  /** Only what this user may see; null: everything. */
  readonly userId?: string | null | undefined
  /** Id of the last event that was read; without it the listener starts from now. */
  readonly after?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Events after `from`, up to and including `to`, were cleaned up; or no event ever had the id `from`. */
  readonly onGap?: ((from: string, to: string) => void) | undefined
}

interface Beginning {
  readonly newest: string
  /** Where somebody begins who does not say so. */
  readonly from: string
  readonly stopListening: () => void
}

interface Look {
  readonly events: readonly StoredEvent[]
  /** The newest event that was cleaned up. */
  readonly removed: number
}

const NOTHING_SEEN: Look = { events: [], removed: 0 }

type EventRows = Pick<
  Store,
  'eventsAfter' | 'lastEventId' | 'lastRemovedEventId' | 'listenToPolls' | 'hasSourceOn' | 'onEventsWritten'
>

export class EventHub {
  readonly #store: EventRows
  readonly #sleepers = new Set<() => void>()
  readonly #reads = new SharedReads<Look>()
  readonly #closing = new AbortController()
  readonly #log: Pick<Log, 'warn'> | null
  readonly #stopListening: () => void
  #wakeUps = 0
  #hasWarned = false

  constructor(store: EventRows, log: Pick<Log, 'warn'> | null = null) {
    this.#store = store
    this.#log = log
    this.#stopListening = store.onEventsWritten(() => this.#wakeAll())
  }

  /** Ends every subscription. */
  close(): void {
    this.#stopListening()
    this.#closing.abort()
    this.#wakeAll()
  }

  /** The position to start from is taken at this call, not at the first read: nothing in between is missed. */
  subscribe(subscription: Subscription = {}): AsyncIterableIterator<StoredEvent> {
    const start = this.#begin(subscription)
    start.catch(() => {})
    return this.#walk(start, subscription)
  }

  async #begin({ types, signal }: Subscription): Promise<Beginning> {
    const wantsPolls = types === undefined || types.includes('poll.finished')
    const position = this.#positionNow()
    position.catch(() => {})
    const stopListening = wantsPolls ? await this.#store.listenToPolls() : () => {}
    // A listener that never reads has to end, too.
    for (const end of [signal, this.#closing.signal]) end?.addEventListener('abort', stopListening, { once: true })
    return { ...(await position), stopListening }
  }

  /** What this process writes before the store has answered counts as written after the call. */
  async #positionNow(): Promise<Omit<Beginning, 'stopListening'>> {
    let firstSince = Number.POSITIVE_INFINITY
    const stopListening = this.#store.onEventsWritten((firstId) => {
      firstSince = Math.min(firstSince, firstId)
    })
    try {
      const newest = await this.#store.lastEventId()
      return { newest, from: String(Math.min(Number(newest), firstSince - 1)) }
    } finally {
      stopListening()
    }
  }

  async *#walk(start: Promise<Beginning>, subscription: Subscription): AsyncGenerator<StoredEvent> {
    const { stopListening, ...beginning } = await start
    try {
      yield* this.#follow(beginning, subscription)
    } finally {
      stopListening()
    }
  }

  async *#follow(
    { newest, from }: Omit<Beginning, 'stopListening'>,
    subscription: Subscription,
  ): AsyncGenerator<StoredEvent> {
    const { signal, after, onGap } = subscription
    const ended = (): boolean => this.#closing.signal.aborted || signal?.aborted === true
    let position = after ?? from
    if (Number(position) > Number(newest)) {
      // The store was restored from a backup: events with such ids are yet to come.
      onGap?.(position, newest)
      position = newest
    }
    const answered = <T>(ask: () => Promise<T>) => this.#answered(ask, ended, signal)
    let waitedFor = this.#wakeUps
    while (!ended()) {
      const wakeUps = this.#wakeUps
      const { events, removed } = (await answered(() => this.#look(position))) ?? NOTHING_SEEN
      const [first] = events
      position = passCleaned(position, removed, first, onGap)
      for (const event of events) {
        if (ended()) return
        position = event.id
        const shown = await answered(() => this.#shown(event, subscription))
        if (shown) yield shown
      }
      // Events that were written during this look are read at once.
      if (first || ended() || wakeUps !== this.#wakeUps) continue
      await this.#sleep(signal, wakeUps === waitedFor ? LOOK_EVERY_MS : LOOK_AGAIN_MS)
      waitedFor = wakeUps
    }
  }

  /** Asks until the store answers; null when the listener ended first. Warns once, however many listen. */
  async #answered<T>(ask: () => Promise<T>, ended: () => boolean, signal?: AbortSignal): Promise<T | null> {
    while (!ended()) {
      try {
        const answer = await ask()
        this.#hasWarned = false
        return answer
      } catch (error) {
        // The store itself logs that its database is away.
        if (!this.#hasWarned && !ended() && !isStoreAway(error))
          this.#log?.warn({ err: error }, '[Events] the store does not answer: listeners wait')
        this.#hasWarned = true
        await this.#sleep(signal)
      }
    }
    return null
  }

  /** What was cleaned up is asked after the events were read, so that no gap between the two goes unnoticed. */
  #look(position: string): Promise<Look> {
    return this.#reads.ask(position, async () => {
      const events = await this.#store.eventsAfter(position, BATCH)
      return { events, removed: Number(await this.#store.lastRemovedEventId()) }
    })
  }

  async #shown(event: StoredEvent, { types, userId = null }: Subscription): Promise<StoredEvent | null> {
    if (types !== undefined && !types.includes(event.type)) return null
    if (userId === null) return event
    const isAboutHost = event.userId === null && event.host !== null
    return seenBy(event, userId, isAboutHost && (await this.#store.hasSourceOn(userId, event.host)))
  }

  #wakeAll(): void {
    this.#wakeUps++
    this.#reads.startAnew()
    for (const wake of [...this.#sleepers]) wake()
  }

  #sleep(signal: AbortSignal | undefined, ms = LOOK_EVERY_MS): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer)
        this.#sleepers.delete(wake)
        signal?.removeEventListener('abort', wake)
        resolve()
      }
      // Real time, because how soon a listener looks is not a rule of polling.
      const timer = setTimeout(wake, ms)
      this.#sleepers.add(wake)
      signal?.addEventListener('abort', wake)
      if (signal?.aborted || this.#closing.signal.aborted) wake()
    })
  }
}

/** `first` of the events that were read may have been cleaned up since: it was not missed. */
function passCleaned(
  position: string,
  removed: number,
  first: StoredEvent | undefined,
  onGap: Subscription['onGap'],
): string {
  const missedUpTo = first ? Math.min(removed, Number(first.id) - 1) : removed
  if (missedUpTo <= Number(position)) return position
  onGap?.(position, String(missedUpTo))
  return String(missedUpTo)
}
