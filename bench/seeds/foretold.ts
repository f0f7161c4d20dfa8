// The forecast compared with what happens in calm hours, host by host. It counts polls as if each began at its planned
// instant; really they begin with the next tick and take turns, so there may be fewer, as many as that explains, but not
// more. Hosts are left out on which a source learns its interval, because it learns another one meanwhile, or has an
// answer that stays fresh until an instant of another time, before the clock was set.
import { forecast } from '../../src/catalogue/consumers/forecast.ts'
import { BUILT_IN_TYPES } from '../../src/domain/built-in-types.ts'
import { HOUR_MS } from '../../src/domain/schedule.ts'
import type { Config } from '../../src/ports/config.ts'
import type { Database, Row } from '../../src/storage/database/db.ts'
import type { EngineLife } from './life.ts'

export const FORETOLD_HOURS = 2
/** Feeds of these worlds say that they stay fresh for 25 minutes. */
const LONGEST_FRESH_MS = HOUR_MS / 2

interface Bounds {
  readonly least: number
  readonly most: number
}

export class Foretold {
  readonly #lastPoll: number
  readonly #bounds: ReadonlyMap<string, Bounds>

  private constructor(lastPoll: number, bounds: ReadonlyMap<string, Bounds>) {
    this.#lastPoll = lastPoll
    this.#bounds = bounds
  }

  /** `lateMs`: by how much the tick and the others of its lane may delay a poll. */
  static async ask(life: EngineLife, db: Database, config: Config, from: number, lateMs: number): Promise<Foretold> {
    const parts = { store: life.store, clock: life.clock, config, engine: life.engine, types: BUILT_IN_TYPES }
    const { hosts } = await forecast(parts, { userId: null, hours: FORETOLD_HOURS, limit: 100, cursor: null })
    const sources = await db.all(
      'SELECT lane, adaptive, last_polled, next_poll_at, fresh_until FROM sources WHERE enabled = 1 AND next_poll_at IS NOT NULL',
    )
    const bounds = new Map<string, Bounds>()
    for (const [lane, own] of Map.groupBy(sources, (source) => String(source.lane))) {
      if (own.some(isUnforeseeable)) continue
      const requests = hosts.find(({ host }) => host === lane)?.requests ?? 0
      bounds.set(lane, { least: leastOf(own, from, lateMs), most: requests + own.length })
    }
    const [last] = await db.all('SELECT max(id) AS id FROM polls')
    return new Foretold(Number(last?.id ?? 0), bounds)
  }

  /** What did not come true. */
  async compare(db: Database): Promise<string[]> {
    const polled = await db.all(
      `SELECT sources.lane, count(*) AS polls FROM polls JOIN sources ON sources.id = polls.source_id
       WHERE polls.id > ? GROUP BY sources.lane`,
      [this.#lastPoll],
    )
    return [...this.#bounds].flatMap(([lane, { least, most }]) => {
      const polls = Number(polled.find((row) => row.lane === lane)?.polls ?? 0)
      const isTrue = polls >= least && polls <= most
      return isTrue ? [] : [`forecast: ${lane} was to be asked ${least} to ${most} times, and was ${polls} times`]
    })
  }
}

function isUnforeseeable({ adaptive, fresh_until: freshUntil, last_polled: lastPolled }: Row): boolean {
  return Number(adaptive) === 1 || Number(freshUntil) - Number(lastPolled) > LONGEST_FRESH_MS
}

function leastOf(sources: readonly Row[], from: number, lateMs: number): number {
  return sources.reduce((sum, { last_polled: last, next_poll_at: next }) => {
    const everyMs = Math.max(1, Number(next) - Number(last)) + lateMs
    const left = from + FORETOLD_HOURS * HOUR_MS - Math.max(from, Number(next))
    return sum + Math.max(0, Math.floor(left / everyMs) - 1)
  }, 0)
}
