// The product's parts under a manual clock, for stories that look at the store and the engine. The SQLite file and the
// sockets are real; a restart keeps the folder.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, createApp } from '../../src/app.ts'
import { configFrom } from '../../src/config.ts'
import type { EventType, StoredEvent } from '../../src/domain/event.ts'
import { MINUTE_MS } from '../../src/domain/schedule.ts'
import type { Source } from '../../src/domain/source.ts'
import type { PartialConfig } from '../../src/ports/config.ts'
import { ManualClock } from './manual-clock.ts'

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
}

export class World implements AsyncDisposable {
  readonly clock = new ManualClock()
  readonly lines: LogLine[] = []
  #config: PartialConfig
  #dir = ''
  #app: App | null = null
  #drawn = 0

  private constructor(config: PartialConfig) {
    this.#config = config
  }

  static async start(config: PartialConfig = {}): Promise<World> {
    const world = new World(config)
    world.#dir = await mkdtemp(join(tmpdir(), 'tidings-world-'))
    await world.restart()
    return world
  }

  get app(): App {
    if (!this.#app) throw new Error('the world has not started')
    return this.#app
  }

  /** As when the process ends and another one starts on the same data, perhaps with another configuration. */
  async restart(config = this.#config): Promise<void> {
    this.#config = config
    await this.#app?.close()
    const note = (level: LogLine['level']) => (fields: LogLine['fields'], message: string) => {
      this.lines.push({ level, message, fields })
    }
    const log = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') }
    this.#app = await createApp({
      clock: this.clock,
      log,
      // Evenly over [0, 1): first polls are spread, and every run is the same.
      random: () => ((this.#drawn++ * 7) % 50) / 50,
      config: configFrom({
        ...this.#config,
        database: this.#config.database ?? { url: `file:${join(this.#dir, 'tidings.db')}` },
        http: { allowPrivateNetworks: ['127.0.0.0/8'], ...this.#config.http },
      }),
    })
  }

  async add(url: string, settings: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const { id } = await this.app.catalogue.sources.create('default', { type: 'rss', url, ...settings })
    return id
  }

  async source(id: string): Promise<Source> {
    const source = await this.app.store.getSource(id)
    if (!source) throw new Error(`there is no source ${id}`)
    return source
  }

  /** Tick after tick, a step apart, everything due polled in between. */
  async run(minutes: number, stepMinutes = 1): Promise<void> {
    for (let passed = 0; passed < minutes; passed += stepMinutes) {
      await this.app.engine.tick()
      await this.app.engine.drain()
      await this.clock.advance(stepMinutes * MINUTE_MS)
    }
  }

  async events<T extends EventType>(...types: T[]): Promise<readonly StoredEvent<T>[]> {
    const all: StoredEvent[] = []
    const wanted = () => all.filter(({ type }) => types.some((one) => one === type))
    for (;;) {
      const some = await this.app.store.eventsAfter(all.at(-1)?.id ?? '0', 1000)
      // The compiler does not follow a type parameter through a filter.
      if (some.length === 0) return wanted() as readonly StoredEvent[] as readonly StoredEvent<T>[]
      all.push(...some)
    }
  }

  said(part: string): readonly LogLine[] {
    return this.lines.filter(({ message }) => message.includes(part))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#app?.close()
    await rm(this.#dir, { recursive: true, force: true })
  }
}
