// What people do while polling goes on: each action goes through the catalogue or the engine, as the API's do.
import { MINUTE_MS } from '../../src/domain/schedule.ts'
import { between, type Chance, pick, streamOf } from '../seeded.ts'
import type { EngineLife } from './life.ts'
import type { SeedPlan } from './plan.ts'

const INTERVALS = [5, 10, 20, 30, 60, 120]
const MOST_ADDED = 6
/** With the wait for another host that it is redirected to. */
const LONGEST_POLL_MS = 5 * MINUTE_MS

export interface PeopleParts {
  readonly plan: SeedPlan
  readonly life: () => EngineLife | null
  /** By feed, while a change is under way the lower one; null: as configured. */
  readonly delays: Map<number, number | null>
  readonly onDelayChanged: () => void
  readonly later: (ms: number, run: () => void) => void
  /** Whatever a source was promised, somebody intervened. */
  readonly onTouched: (sourceId: string | null) => void
}

type Action = (life: EngineLife, sourceId: string) => Promise<unknown>

export class People {
  readonly #parts: PeopleParts
  readonly #chance: Chance
  #nextFeed: number
  #added = 0
  /** By feed: who changed its delay last. */
  readonly #lastChanges = new Map<number, symbol>()
  readonly #actions: readonly Action[]

  constructor(parts: PeopleParts) {
    this.#parts = parts
    this.#chance = streamOf(parts.plan.seed, 'people')
    this.#nextFeed = parts.plan.sources
    this.#actions = [
      (life) => this.#addLater(life, false),
      (life) => this.#addLater(life, true),
      ({ catalogue }, id) => (this.#chance() < 0.4 ? catalogue.sources.remove(id) : Promise.resolve()),
      ({ catalogue }, id) => catalogue.sources.update(id, { enabled: false }),
      ({ catalogue }, id) => catalogue.sources.update(id, { enabled: true }),
      ({ catalogue }, id) => catalogue.sources.update(id, { enabled: true }),
      ({ catalogue }, id) => catalogue.sources.update(id, { pollIntervalMinutes: pick(this.#chance, INTERVALS) }),
      (life, id) => this.#changeDelay(life, id),
      (life, id) => this.#changeUrl(life, id),
      ({ catalogue }, id) =>
        catalogue.sources.update(id, { fullText: pick(this.#chance, ['never', 'auto', 'always']) }),
      ({ catalogue }, id) => catalogue.sources.update(id, { adaptive: this.#chance() < 0.5 }),
      ({ catalogue }, id) => catalogue.sources.update(id, { backfillDays: 1 }),
      ({ engine }, id) => engine.poll(id),
      ({ engine }, id) => engine.poll(id),
      ({ engine }) => engine.resetBreaker(`h${Math.floor(this.#chance() * this.#parts.plan.hosts)}.test`),
      (life) => this.#consume(life),
    ]
  }

  /** The sources that are there from the start. */
  async addFirst({ catalogue }: EngineLife): Promise<void> {
    for (let feed = 0; feed < this.#parts.plan.sources; feed++)
      await catalogue.sources.create('default', this.#newSource(feed))
  }

  nextActionMs(): number {
    return between(this.#chance, 2 * MINUTE_MS, 50 * MINUTE_MS)
  }

  /** One of them does something. Their errors are answers; what is no answer is thrown. */
  async act(sourceIds: readonly string[]): Promise<void> {
    const life = this.#parts.life()
    const action = pick(this.#chance, this.#actions)
    if (!life || sourceIds.length === 0) return
    const id = pick(this.#chance, sourceIds)
    this.#parts.onTouched(id)
    await action(life, id)
    this.#parts.onTouched(id)
  }

  async #addLater({ catalogue }: EngineLife, validate: boolean): Promise<void> {
    if (this.#added++ >= MOST_ADDED) return
    this.#parts.onTouched(null)
    const feed = this.#nextFeed++
    const source = this.#newSource(feed)
    // A test fetch does not know the delay that the source will have.
    if (source.pollDelaySeconds !== null) this.#parts.delays.set(feed, 0)
    await catalogue.sources.create('default', { ...source, validate })
    this.#parts.delays.set(feed, source.pollDelaySeconds)
  }

  async #changeDelay({ catalogue }: EngineLife, id: string): Promise<void> {
    const { delays, onDelayChanged } = this.#parts
    const { url } = await catalogue.sources.get(id)
    const feed = Number(/\/f\/(\d+)/.exec(url)?.[1])
    const before = delays.get(feed) ?? null
    const after = pick(this.#chance, [null, 0, 5, 45])
    // Until it is known to be changed, either may count. 0 is the lowest that the configuration may say.
    delays.set(feed, Math.min(before ?? 0, after ?? 0))
    onDelayChanged()
    const change = Symbol('change')
    this.#lastChanges.set(feed, change)
    await catalogue.sources.update(id, { pollDelaySeconds: after })
    // A poll that is on its way to another host by now keeps to the delay that it began with.
    this.#parts.later(LONGEST_POLL_MS, () => {
      if (this.#lastChanges.get(feed) === change) delays.set(feed, after)
    })
  }

  async #consume({ catalogue }: EngineLife): Promise<void> {
    const { created } = await catalogue.articles.aggregate('default', {})
    const ids = created.map(({ id }) => id).slice(0, 5)
    if (ids.length > 0) await catalogue.articles.markProcessed('default', ids)
  }

  async #changeUrl({ catalogue }: EngineLife, id: string): Promise<void> {
    const feed = this.#nextFeed++
    const url = this.#urlOf(feed)
    // The delay belongs to the source, whatever it asks for.
    this.#parts.delays.set(feed, (await catalogue.sources.get(id)).pollDelaySeconds)
    await catalogue.sources.update(id, { url })
  }

  #urlOf(feed: number): string {
    return `https://h${Math.floor(this.#chance() * this.#parts.plan.hosts)}.test/f/${feed}`
  }

  #newSource(feed: number) {
    const pollDelaySeconds = pick(this.#chance, [null, null, null, 0, 20])
    this.#parts.delays.set(feed, pollDelaySeconds)
    return {
      type: 'rss' as const,
      url: this.#urlOf(feed),
      pollIntervalMinutes: pick(this.#chance, INTERVALS),
      pollDelaySeconds,
      fullText: pick(this.#chance, ['never', 'never', 'auto', 'always'] as const),
      adaptive: this.#chance() < 0.2,
      maxFailures: pick(this.#chance, [null, 3, 5, 20]),
      backfillDays: pick(this.#chance, [0, 0, 1]),
    }
  }
}
