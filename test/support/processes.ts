// Two processes on one PostgreSQL: two apps in this process, with one clock and one host to poll.
import { type App, createApp } from '../../src/app.ts'
import { configFrom } from '../../src/config.ts'
import type { Store } from '../../src/ports/store.ts'
import { ManualClock } from './manual-clock.ts'
import { type Origin, startOrigin } from './origin.ts'
import type { Postgres } from './postgres.ts'
import { rss } from './product.ts'
import { until } from './until.ts'
import { drained, HOUR } from './world.ts'

export interface Processes extends AsyncDisposable {
  readonly clock: ManualClock
  readonly origin: Origin
  readonly one: App
  readonly other: App
  /** Sources on one host, due now. */
  addDue(...paths: string[]): Promise<string[]>
  /** A source that `one` is polling: its document, with one post, is on its way until it may be answered. */
  pollHeld(path: string): Promise<{ id: string; answer: () => void }>
}

export async function twoProcesses(postgres: Postgres, pollDelaySeconds = 0): Promise<Processes> {
  const clock = new ManualClock()
  const origin = await startOrigin({ host: '127.0.0.2', now: () => clock.now() })
  const config = configFrom({
    database: { url: await postgres.freshDatabase() },
    http: { allowPrivateNetworks: ['127.0.0.0/8'] },
    source: { pollDelaySeconds: { rss: pollDelaySeconds } },
  })
  const one = await createApp({ config, clock, random: () => 0 })
  const other = await createApp({ config, clock, random: () => 0 })
  async function addDue(...paths: string[]): Promise<string[]> {
    const ids: string[] = []
    for (const path of paths) {
      const { id } = await one.catalogue.sources.create('default', {
        ...{ type: 'rss', url: origin.url + path, pollIntervalMinutes: 60 },
      })
      ids.push(id)
    }
    await one.engine.tick()
    await drained(one.engine, clock)
    await clock.advance(2 * HOUR)
    return ids
  }
  return {
    ...{ clock, origin, one, other, addDue },
    async pollHeld(path) {
      origin.route(path, { body: rss([]) })
      const [id = ''] = await addDue(path)
      const held = Promise.withResolvers<void>()
      origin.route(path, async (_, response) => {
        await held.promise
        response.end(rss([{ title: 'One', guid: '1', publishedAt: clock.now() }]))
      })
      const before = origin.requests.length
      await one.engine.tick()
      await until('it is asked', () => origin.requests.length > before)
      return { id, answer: held.resolve }
    },
    async [Symbol.asyncDispose]() {
      await one[Symbol.asyncDispose]()
      await other[Symbol.asyncDispose]()
      await origin.close()
    },
  }
}

type Verb = {
  [Name in keyof Store]: Store[Name] extends (...args: never[]) => Promise<unknown> ? Name : never
}[keyof Store]

/** From now on the app's calls of this store verb go through `call`, which may delay them. */
export function around<Name extends Verb>(
  { store }: App,
  verb: Name,
  call: (verb: () => ReturnType<Store[Name]>) => ReturnType<Store[Name]>,
): void {
  // The original is read before it is replaced, so that the replacement does not call itself.
  const original = store[verb] as (...args: unknown[]) => ReturnType<Store[Name]>
  Object.assign(store, { [verb]: (...args: unknown[]) => call(() => original(...args)) })
}
