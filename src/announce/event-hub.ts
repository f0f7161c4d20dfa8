// Listeners to event rows. Each reads from the store at its own pace, so a slow one costs a position, not memory.
// The store wakes them after each commit of this process that wrote events; a look every second finds what other
// processes wrote. Event ids have no holes, so a listener learns when events were cleaned up before it read them. While
// the store does not answer, listeners keep their position and ask again.
import { type EventType, type StoredEvent, seenBy } from '../domain/event.ts'
import { isStoreAway } from '../domain/problem.ts'
import type { Log } from '../ports/log.ts'
import type { Store } from '../ports/store.ts'

const BATCH = 200
const LOOK_EVERY_MS = 1000

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

type EventRows = Pick<Store, 'eventsAfter' | 'lastEventId' | 'hasSourceOn' | 'onEventsWritten'>

export class EventHub {
  readonly #store: EventRows
  readonly #sleepers = new Set<() => void>()
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
    const last = this.#store.lastEventId()
    last.catch(() => {})
    return this.#walk(last, subscription)
  }

  async *#walk(last: Promise<string>, subscription: Subscription): AsyncGenerator<StoredEvent> {
    const { signal, after, onGap } = subscription
    const ended = (): boolean => this.#closing.signal.aborted || signal?.aborted === true
    const newest = await last
    let position = after ?? newest
    if (Number(position) > Number(newest)) {
      // The store was restored from a backup: events with such ids are yet to come.
      onGap?.(position, newest)
      position = newest
    }
    const answered = <T>(ask: () => Promise<T>) => this.#answered(ask, ended, signal)
    while (!ended()) {
      const wakeUps = this.#wakeUps
      const events = (await answered(() => this.#store.eventsAfter(position, BATCH))) ?? []
      const [first] = events
      if (first && Number(first.id) > Number(position) + 1) onGap?.(position, String(Number(first.id) - 1))
      for (const event of events) {
        if (ended()) return
        position = event.id
        const shown = await answered(() => this.#shown(event, subscription))
        if (shown) yield shown
      }
      if (!first) position = (await answered(() => this.#passCleaned(position, onGap))) ?? position
      // Events that were written during this look are read at once.
      if (!first && !ended() && wakeUps === this.#wakeUps) await this.#sleep(signal)
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

  /** No event is left after the position: either none was written, or they were cleaned up. */
  async #passCleaned(position: string, onGap: Subscription['onGap']): Promise<string> {
    const newest = await this.#store.lastEventId()
    if (Number(newest) <= Number(position)) return position
    // They were written between the two questions.
    if ((await this.#store.eventsAfter(position, 1)).length > 0) return position
    onGap?.(position, newest)
    return newest
  }

  async #shown(event: StoredEvent, { types, userId = null }: Subscription): Promise<StoredEvent | null> {
    if (types !== undefined && !types.includes(event.type)) return null
    if (userId === null) return event
    const isAboutHost = event.userId === null && event.host !== null
    return seenBy(event, userId, isAboutHost && (await this.#store.hasSourceOn(userId, event.host)))
  }

  #wakeAll(): void {
    this.#wakeUps++
    for (const wake of [...this.#sleepers]) wake()
  }

  #sleep(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer)
        this.#sleepers.delete(wake)
        signal?.removeEventListener('abort', wake)
        resolve()
      }
      // Real time, because how soon a listener looks is not a rule of polling.
      const timer = setTimeout(wake, LOOK_EVERY_MS)
      this.#sleepers.add(wake)
      signal?.addEventListener('abort', wake)
      if (signal?.aborted || this.#closing.signal.aborted) wake()
    })
  }
}
