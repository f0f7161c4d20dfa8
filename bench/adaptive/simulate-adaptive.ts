// npm run simulate -- adaptive: compares learned intervals with fixed ones, and counts false alarms about quiet sources.

import { seeded } from '../seeded.ts'
import { judgeQuiet, type Polled, pollFeed } from './poll-feed.ts'
import { DAY, MINUTE, RHYTHMS, type SimulatedFeed, simulatedFeeds } from './rhythms.ts'

const START = Date.parse('2026-01-05T00:00:00Z')
const BOUNDS = { minMinutes: 15, maxMinutes: 1440 }
const HISTORY_DAYS = 120
const WARM_UP_DAYS = 180

export interface AdaptiveSize {
  readonly feeds: number
  readonly days: number
  readonly quietFeeds: number
  readonly quietMonths: number
  readonly seed: number
}

interface Row {
  readonly requestsPerDay: number
  readonly meanMinutes: number
  readonly p95Minutes: number
  readonly missed: number
}

export interface AdaptiveResult {
  readonly rows: ReadonlyMap<string, Row>
  readonly byKind: ReadonlyMap<string, { readonly fixed: Row; readonly adaptive: Row }>
  readonly quiet: {
    readonly sourceMonths: number
    readonly falseAlarms: number
    readonly found: number
    readonly latestDays: number
  }
}

export function simulateAdaptive(size: AdaptiveSize): AdaptiveResult {
  const until = START + (WARM_UP_DAYS + size.days) * DAY
  const feeds = simulatedFeeds(size.feeds, { from: START - HISTORY_DAYS * DAY, until }, seeded(size.seed))
  const poll = (fixedMinutes: number | null): Polled[] => {
    const polling = { from: START, until, countFrom: START + WARM_UP_DAYS * DAY, fixedMinutes, bounds: BOUNDS }
    return feeds.map((feed, index) => pollFeed(feed, polling, seeded(size.seed + index)))
  }
  const fixed = new Map([15, 30, 60].map((minutes) => [minutes, poll(minutes)]))
  const adaptive = poll(null)
  const rows = new Map([...fixed].map(([minutes, polled]) => [`every ${minutes} minutes`, rowOf(polled, size.days)]))
  rows.set('adaptive', rowOf(adaptive, size.days))
  const byKind = new Map(
    RHYTHMS.map(({ name }) => {
      const of = (polled: readonly Polled[]) => rowOf(ofKind(name, feeds, polled), size.days)
      return [name, { fixed: of(fixed.get(30) ?? []), adaptive: of(adaptive) }]
    }),
  )
  return { rows, byKind, quiet: simulateQuiet(size) }
}

function ofKind(name: string, feeds: readonly SimulatedFeed[], polled: readonly Polled[]): Polled[] {
  return polled.filter((_, index) => feeds[index]?.kind === name)
}

function rowOf(polled: readonly Polled[], days: number): Row {
  const delays = polled.flatMap(({ delaysMs }) => delaysMs).sort((a, b) => a - b)
  const sum = delays.reduce((total, delay) => total + delay, 0)
  return {
    requestsPerDay: polled.reduce((total, { requests }) => total + requests, 0) / Math.max(1, polled.length) / days,
    meanMinutes: sum / Math.max(1, delays.length) / MINUTE,
    p95Minutes: (delays[Math.floor(delays.length * 0.95)] ?? 0) / MINUTE,
    missed: polled.reduce((total, each) => total + each.missed, 0),
  }
}

/** Polled twice a day for years: whether a source is quiet does not depend on how often it is asked. */
function simulateQuiet({ quietFeeds, quietMonths, seed }: AdaptiveSize): AdaptiveResult['quiet'] {
  const until = START + quietMonths * 30 * DAY
  const feeds = simulatedFeeds(quietFeeds, { from: START - HISTORY_DAYS * DAY, until }, seeded(seed + 1))
  const polling = { from: START, until, countFrom: START, fixedMinutes: 720, bounds: BOUNDS }
  const judged = feeds.map((feed, index) => judgeQuiet(feed, pollFeed(feed, polling, seeded(seed + index))))
  const late = judged.flatMap(({ lateDays }) => lateDays)
  return {
    sourceMonths: quietFeeds * quietMonths,
    falseAlarms: judged.reduce((total, { falseAlarms }) => total + falseAlarms, 0),
    found: late.length,
    latestDays: Math.max(0, ...late),
  }
}

export function tableOf({ rows, byKind, quiet }: AdaptiveResult): string {
  const line = (name: string, row: Row): string =>
    [
      name.padEnd(28),
      ...[row.requestsPerDay, row.meanMinutes, row.p95Minutes].map((value) => value.toFixed(1).padStart(10)),
      String(row.missed).padStart(10),
    ].join('')
  const head = `${''.padEnd(28)}${['asked/day', 'mean min', 'p95 min', 'missed'].map((word) => word.padStart(10)).join('')}`
  const kinds = [...byKind].flatMap(([name, { fixed, adaptive }]) => [
    line(`${name}, every 30`, fixed),
    line(`${name}, adaptive`, adaptive),
  ])
  return [
    head,
    ...[...rows].map(([name, row]) => line(name, row)),
    '',
    ...kinds,
    '',
    `adaptive makes ${shareOf(rows)}% of the requests of every 30 minutes`,
    quietLine(quiet),
  ].join('\n')
}

/** Another seed in short. */
export function lineOf(seed: number, { rows, quiet }: AdaptiveResult): string {
  const words = ['every 30 minutes', 'adaptive'].map((name) => {
    const { meanMinutes = 0, p95Minutes = 0, missed = 0 } = rows.get(name) ?? {}
    return `${name}: mean ${meanMinutes.toFixed(1)}, p95 ${p95Minutes.toFixed(1)} minutes, ${missed} missed`
  })
  return `seed ${seed}: ${words.join('; ')}; ${shareOf(rows)}% of the requests; ${quietLine(quiet)}`
}

function shareOf(rows: AdaptiveResult['rows']): number {
  const perDay = (name: string): number => rows.get(name)?.requestsPerDay ?? 0
  return Math.round((100 * perDay('adaptive')) / Math.max(1, perDay('every 30 minutes')))
}

function quietLine({ falseAlarms, sourceMonths, found, latestDays }: AdaptiveResult['quiet']): string {
  const late = `at the latest ${latestDays.toFixed(1)} days after the bound`
  return `quiet: ${falseAlarms} false alarms in ${sourceMonths} source-months; ${found} found, ${late}`
}
