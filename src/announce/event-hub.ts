// Listeners to event rows. Each pulls from the store at its own pace, so a slow one holds a position, not memory;
// a nudge after each commit of this process wakes them, a look every second finds what other processes wrote.
// Ids of events have no holes, so a listener whose next events were cleaned up before it came to them is told so. While
// the store does not answer, listeners keep their place and ask again.
import { type EventType, type StoredEvent, seenBy } from '../domain/event.ts'
import { isStoreAway } from '../domain/problem.ts'
import type { Log } from '../ports/log.ts'
import type { Store } from '../ports/store.ts'

const BATCH = 200
const LOOK_EVERY_MS = 1000

export interface Subscription {
  readonly types?: readonly EventType[] | undefined
  /** Only what this user may see; null: all. */
  readonly userId?: string | null | undefined
  /** From the event after this one on; default: from now on. */
  readonly after?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Events after `from` up to and with `to` are not there any more, or `from` was never given out. */
  readonly onGap?: ((from: string, to: string) => void) | undefined
}

type EventRows = Pick<Store, 'eventsAfter' | 'lastEventId' | 'hasSourceOn'>

export class EventHub {
  readonly #store: EventRows
  readonly #sleepers = new Set<() => void>()
  readonly #closing = new AbortController()
  readonly #log: Pick<Log, 'warn'> | null
  #nudges = 0
  #silent = false

  constructor(store: EventRows, log: Pick<Log, 'warn'> | null = null) {
    this.#store = store
    this.#log = log
  }

  /** Events may have been written. */
  nudge(): void {
    this.#nudges++
    for (const wake of [...this.#sleepers]) wake()
  }

  close(): void {
    this.#closing.abort()
    this.nudge()
  }

  /** The place to start from is taken at the call, not at the first read: nothing in between is missed. */
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
      // Of a store that was since restored: what is numbered like that is yet to come.
      onGap?.(position, newest)
      position = newest
    }
    const answered = <T>(ask: () => Promise<T>) => this.#answered(ask, ended, signal)
    while (!ended()) {
      const heard = this.#nudges
      const events = (await answered(() => this.#store.eventsAfter(position, BATCH))) ?? []
      const [first] = events
      if (first && Number(first.id) > Number(position) + 1) onGap?.(position, String(Number(first.id) - 1))
      for (const event of events) {
        if (ended()) return
        position = event.id
        const told = await answered(() => this.#told(event, subscription))
        if (told) yield told
      }
      if (!first) position = (await answered(() => this.#passCleaned(position, onGap))) ?? position
      // Who was nudged while it looked looks again.
      if (!first && !ended() && heard === this.#nudges) await this.#sleep(signal)
    }
  }

  /** null: the listener ended before the store answered. Told once, however many listen. */
  async #answered<T>(ask: () => Promise<T>, ended: () => boolean, signal?: AbortSignal): Promise<T | null> {
    while (!ended()) {
      try {
        const answer = await ask()
        this.#silent = false
        return answer
      } catch (error) {
        // A database that is away says so itself, once for all that ask it.
        if (!this.#silent && !ended() && !isStoreAway(error))
          this.#log?.warn({ err: error }, '[Events] the store does not answer: listeners wait')
        this.#silent = true
        await this.#sleep(signal)
      }
    }
    return null
  }

  /** Nothing is left after the position: either nothing was written, or it was cleaned up. */
  async #passCleaned(position: string, onGap: Subscription['onGap']): Promise<string> {
    const newest = await this.#store.lastEventId()
    if (Number(newest) <= Number(position)) return position
    // Written between the two questions, most likely.
    if ((await this.#store.eventsAfter(position, 1)).length > 0) return position
    onGap?.(position, newest)
    return newest
  }

  async #told(event: StoredEvent, { types, userId = null }: Subscription): Promise<StoredEvent | null> {
    if (types !== undefined && !types.includes(event.type)) return null
    if (userId === null) return event
    const asks = event.userId === null && event.host !== null
    return seenBy(event, userId, asks && (await this.#store.hasSourceOn(userId, event.host ?? '')))
  }

  #sleep(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer)
        this.#sleepers.delete(wake)
        signal?.removeEventListener('abort', wake)
        resolve()
      }
      // Real time: how quickly a listener hears is no rule of polling.
      const timer = setTimeout(wake, LOOK_EVERY_MS)
      this.#sleepers.add(wake)
      signal?.addEventListener('abort', wake)
      if (signal?.aborted || this.#closing.signal.aborted) wake()
    })
  }
}

/** Verbs that write event rows. */
const ANNOUNCING = ['recordPoll', 'addSource', 'changeSource', 'changeHost', 'recoverHost', 'addEvents'] as const

/** The same store, telling the hub after each verb that may have written events. */
export function announcing(store: Store, nudge: () => void): Store {
  const verbs = Object.fromEntries(
    ANNOUNCING.map((name) => {
      const verb = store[name] as (...args: unknown[]) => Promise<unknown>
      return [name, (...args: unknown[]) => verb.apply(store, args).finally(nudge)]
    }),
  )
  return new Proxy(store, {
    get: (target, name) => {
      if (typeof name === 'string' && Object.hasOwn(verbs, name)) return verbs[name]
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
