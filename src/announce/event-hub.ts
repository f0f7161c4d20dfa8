// Listeners to event rows. Each pulls from the store at its own pace, so a slow one holds a position, not memory;
// a nudge after each commit of this process wakes them, a look every second finds what other processes wrote.
import type { EventType, StoredEvent } from '../domain/event.ts'
import type { Store } from '../ports/store.ts'

const BATCH = 200
const LOOK_EVERY_MS = 1000

export interface Subscription {
  readonly types?: readonly EventType[] | undefined
  /** Only events of this user's things; null: all. */
  readonly userId?: string | null | undefined
  /** From the event after this one on; default: from now on. */
  readonly after?: string | undefined
  readonly signal?: AbortSignal | undefined
}

export class EventHub {
  readonly #store: Pick<Store, 'eventsAfter' | 'lastEventId'>
  readonly #sleepers = new Set<() => void>()
  readonly #closing = new AbortController()

  constructor(store: Pick<Store, 'eventsAfter' | 'lastEventId'>) {
    this.#store = store
  }

  /** Events may have been written. */
  nudge(): void {
    for (const wake of [...this.#sleepers]) wake()
  }

  close(): void {
    this.#closing.abort()
    this.nudge()
  }

  /** The place to start from is taken at the call, not at the first read: nothing in between is missed. */
  subscribe(subscription: Subscription = {}): AsyncIterableIterator<StoredEvent> {
    const from = subscription.after === undefined ? this.#store.lastEventId() : Promise.resolve(subscription.after)
    from.catch(() => {})
    return this.#walk(from, subscription)
  }

  async *#walk(from: Promise<string>, { types, userId = null, signal }: Subscription): AsyncGenerator<StoredEvent> {
    const ended = (): boolean => this.#closing.signal.aborted || signal?.aborted === true
    let position = await from
    while (!ended()) {
      const events = await this.#store.eventsAfter(position, BATCH)
      for (const event of events) {
        if (ended()) return
        position = event.id
        const wanted = types === undefined || types.includes(event.type)
        if (wanted && (userId === null || event.userId === userId)) yield event
      }
      if (events.length === 0) await this.#sleep(signal)
    }
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
