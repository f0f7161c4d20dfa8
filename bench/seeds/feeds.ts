// Feeds of a simulated world: they publish by a rhythm of their own, show their newest entries, and sometimes correct one.
import { HOUR_MS, MINUTE_MS } from '../../src/domain/schedule.ts'
import { between, pick, streamOf } from '../seeded.ts'
import type { SeedPlan } from './plan.ts'
import { WORLD_START } from './virtual-time.ts'

const SHOWN = 12
const CORRECTED_AFTER_MS = 40 * MINUTE_MS

export interface Entry {
  readonly guid: string
  /** null: the feed states no dates. */
  readonly publishedAt: number | null
  readonly title: string
  readonly body: string
  readonly link: string
}

export interface Feed {
  /** What it shows at this instant of true time, newest first. */
  entriesAt(trueNow: number): readonly Entry[]
}

export function feedOf(plan: SeedPlan, feed: number): Feed {
  const chance = streamOf(plan.seed, `feed ${feed}`)
  const everyMs = between(chance, 15 * MINUTE_MS, 4 * HOUR_MS)
  const hasDates = chance() < 0.85
  const isShort = chance() < 0.5
  const pagesOn = Math.floor(chance() * plan.hosts)
  const published: { at: number; corrected: boolean }[] = []
  const lastAt = WORLD_START + plan.minutes * MINUTE_MS
  for (let at = WORLD_START - 5 * everyMs; at < lastAt; at += everyMs * pick(chance, [0.2, 0.7, 1, 1.5, 2.5])) {
    // Dates in a feed have whole seconds.
    published.push({ at: Math.floor(at / 1000) * 1000, corrected: chance() < 0.1 })
  }
  return {
    entriesAt: (trueNow) => {
      const shown = published.map((entry, number) => ({ ...entry, number })).filter(({ at }) => at <= trueNow)
      return shown
        .slice(-SHOWN)
        .map(({ at, corrected, number }) => {
          const guid = `f${feed}-${number}`
          const text = `Entry ${number} of feed ${feed}`
          const correction = corrected && trueNow > at + CORRECTED_AFTER_MS ? ' (corrected)' : ''
          const body = `${text}: what happened${correction}${isShort ? ' ...' : `. ${'It is told at length. '.repeat(25)}`}`
          const link = `https://h${pagesOn}.test/p/${feed}/${number}`
          return { guid, publishedAt: hasDates ? at : null, title: text, body, link }
        })
        .reverse()
    },
  }
}

export function asRss(feed: number, entries: readonly Entry[]): string {
  const items = entries.map(({ guid, publishedAt, title, body, link }) => {
    const date = publishedAt === null ? '' : `<pubDate>${new Date(publishedAt).toUTCString()}</pubDate>`
    return `<item><title>${title}</title><description>${body}</description><guid isPermaLink="false">${guid}</guid><link>${link}</link>${date}</item>`
  })
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>Feed ${feed}</title>${items.join('')}</channel></rss>`
}
