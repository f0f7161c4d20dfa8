// A product, origins and a clock, set up in one line for stories about polling.
import type { Tidings } from '../../src/index.ts'
import { ManualClock, TEST_START } from './manual-clock.ts'
import { type Origin, startOrigin } from './origin.ts'
import { type Product, type ProductOptions, startProduct } from './product.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
export { TEST_START }

export interface World extends AsyncDisposable {
  readonly clock: ManualClock
  readonly origins: readonly Origin[]
  readonly origin: Origin
  readonly tidings: Tidings
  readonly lines: readonly {
    readonly level: string
    readonly message: string
    readonly fields: Record<string, unknown>
  }[]
  /** A feed or page on the first origin, polled every 30 minutes unless told otherwise. */
  add(path: string, settings?: Record<string, unknown>): ReturnType<Tidings['catalogue']['sources']['create']>
  /** Moves the clock, then one tick and everything it set in motion, spacing included. */
  pass(ms: number): Promise<void>
  /** Ends the product and starts it again on the same data. */
  restart(): Promise<void>
}

export async function startWorld(options: ProductOptions & { hosts?: number } = {}): Promise<World> {
  const clock = new ManualClock()
  const origins: Origin[] = []
  for (let index = 0; index < (options.hosts ?? 1); index++) {
    origins.push(await startOrigin({ host: `127.0.0.${index + 2}`, now: () => clock.now() }))
  }
  const [origin] = origins
  if (!origin) throw new Error('a world has at least one host')
  const lines: { level: string; message: string; fields: Record<string, unknown> }[] = []
  const write = (level: string) => (fields: Readonly<Record<string, unknown>>, message: string) => {
    lines.push({ level, message, fields })
  }
  const log = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
  const start = (dir?: string): Promise<Product> => startProduct({ clock, log, ...options, ...(dir && { dir }) })
  let product = await start()
  return {
    clock,
    origins,
    origin,
    lines,
    get tidings() {
      return product.tidings
    },
    add: (path, settings = {}) =>
      product.tidings.catalogue.sources.create('default', { type: 'rss', url: `${origin.url}${path}`, ...settings }),
    async pass(ms) {
      await clock.advance(ms)
      await product.tidings.tick()
      await drained(product.tidings, clock)
    },
    async restart() {
      await product.stop()
      product = await start(product.dir)
    },
    async [Symbol.asyncDispose]() {
      await product[Symbol.asyncDispose]()
      await Promise.all(origins.map((each) => each.close()))
    },
  }
}

/** Spacing waits for the clock: it is moved on whenever somebody sleeps and no lane is at work. */
export async function drained(tidings: Pick<Tidings, 'drain' | 'status'>, clock: ManualClock): Promise<void> {
  let done = false
  const draining = tidings.drain().finally(() => {
    done = true
  })
  while (!done) {
    await Promise.race([draining, aMoment()])
    const next = clock.pending[0]
    if (!done && next !== undefined && tidings.status().lanesAtWork === 0) {
      await clock.advanceTo(Math.max(next, clock.now()))
    }
  }
  await draining
}

/** For what lies between a wait and a visit: reads of the store. */
function aMoment(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5))
}
