// npm run simulate -- --sources 1000000 --hosts 200000 --days 7: what so many sources ask of hosts, workers and the store.
// The rules of src/domain decide when, whom and how healthy, on a virtual clock. What is left out, and how:
// - The network: a host answers after a time of its own, or is down, or throttles (made-up-world.ts). Nothing is sent.
// - The store: arrays in memory. Its size is estimated from the rows that would be there (store-size.ts).
// - The workers: as many request slots as they have together. A due host is noticed with the next pass, twice a second; a
//   lane that has it goes on by itself. What a poll costs in CPU is measured elsewhere (npm run bench -- workers).
// - Our own outage is given, not found out: it is a time without polls, and what is overdue afterwards is spread.
import { parseArgs } from 'node:util'
import { DAY_MS, dueNow, firstPlan, goingNow, HOUR_MS, MINUTE_MS, overduePlan } from '../../src/domain/schedule.ts'
import { streamOf } from '../seeded.ts'
import { DueSources, NEVER } from './due-sources.ts'
import { EventWheel } from './event-wheel.ts'
import { MadeUpWorld } from './made-up-world.ts'
import { RequestSlotTimes } from './request-slot-times.ts'
import { ScaleFigures, type ScaleSize } from './scale-figures.ts'
import { ScaleRules } from './scale-rules.ts'

const PASS_MS = 500
const TICK_MS = MINUTE_MS
const SLOTS_OF_A_WORKER = 64
const OWN_OUTAGE_MS = 40 * MINUTE_MS
/** Hosts that are asked this share of the time cannot be asked more often. */
const SATURATED = 0.95

export function simulateScale(size: ScaleSize, onDay: (day: number, polls: number) => void = () => {}): ScaleFigures {
  const delayMs = size.delaySeconds * 1000
  const world = new MadeUpWorld(size.sources, size.hosts, size.seed)
  const due = new DueSources(world.from)
  const rules = new ScaleRules(world, due, delayMs)
  const wheel = new EventWheel(size.hosts)
  const slots = new RequestSlotTimes(size.workers * SLOTS_OF_A_WORKER)
  const isSaturated = (host: number): boolean => loadOf(host, world, due, delayMs) > SATURATED
  const figures = new ScaleFigures(size, delayMs, due, isSaturated)
  planAll(rules, due, size)
  const noticed = (at: number, pass: number): number => Math.ceil(at / pass) * pass
  const putAll = (from: number): void => {
    for (let host = 0; host < size.hosts; host++) wheel.put(host, Math.max(from, noticed(due.firstAt(host), PASS_MS)))
  }
  putAll(0)
  const outageAt = (size.days * DAY_MS) / 2
  const untils = Array.from({ length: size.days }, (_, day) => (day + 1) * DAY_MS)
  for (const until of [...untils, outageAt].toSorted((a, b) => a - b)) {
    runUntil(until)
    if (until === outageAt) {
      wheel.clear()
      spread(due, world, rules, outageAt + OWN_OUTAGE_MS)
      putAll(outageAt + OWN_OUTAGE_MS)
    }
    if (until % DAY_MS === 0) onDay(until / DAY_MS, figures.polls)
  }
  figures.endWith(rules)
  return figures

  function runUntil(until: number): void {
    for (;;) {
      const event = wheel.take(until)
      if (!event) return
      const { host, at: now } = event
      // All its sources are disabled.
      if (due.firstAt(host) === NEVER) continue
      const visit = rules.nextVisit(host, now)
      if (visit.at > now) wheel.put(host, visit.isProbe ? noticed(visit.at, TICK_MS) : noticed(visit.at, PASS_MS))
      else poll(host, slots.take(now), visit.isProbe)
    }
  }

  function poll(host: number, at: number, isProbe: boolean): void {
    const source = due.first(host)
    const plannedAt = due.nextPollAt[source] as number
    const answer = world.answer(host, source, at, at - (rules.lastPolled[source] ?? 0))
    const endedAt = at + answer.tookMs
    slots.giveBack(endedAt)
    figures.add({ host, source, at, endedAt, plannedAt, isProbe, answer })
    rules.begin(host, source, at, isProbe)
    rules.end(host, source, answer, endedAt)
    // The lane goes on by itself as long as something is due.
    const next = Math.max(endedAt, endedAt + delayMs)
    wheel.put(host, due.firstAt(host) <= next ? next : Math.max(next, noticed(due.firstAt(host), PASS_MS)))
  }
}

/** As a first tick does with sources that were never polled. */
function planAll(rules: ScaleRules, due: DueSources, { hosts, seed }: ScaleSize): void {
  const chance = streamOf(seed, 'jitter')
  for (let source = 0; source < due.nextPollAt.length; source++) {
    const plan = firstPlan(rules.plannable(source), { maxBackoffHours: 24 }, 0, chance)
    rules.lastPolled[source] = plan.lastPolled
    due.nextPollAt[source] = plan.nextPollAt ?? 0
  }
  for (let host = 0; host < hosts; host++) due.sort(host)
}

/** As the first tick after a gap does with what is overdue. */
function spread(due: DueSources, world: MadeUpWorld, rules: ScaleRules, now: number): void {
  const plans = due.nextPollAt
  const overdue = Uint32Array.from({ length: plans.length }, (_, source) => source)
    .filter((source) => (plans[source] ?? 0) <= now)
    .sort((a, b) => (plans[a] ?? 0) - (plans[b] ?? 0))
  const goes = goingNow(overdue.length, TICK_MS)
  for (const [index, source] of overdue.entries()) {
    plans[source] = index < goes ? dueNow(now) : overduePlan(rules.plannable(source), index, overdue.length, now)
  }
  for (let host = 0; host < world.from.length - 1; host++) due.sort(host)
}

/** The share of the time that a host is visited or left alone after a visit, if all its sources are polled in time. */
function loadOf(host: number, world: MadeUpWorld, due: DueSources, delayMs: number): number {
  let perHour = 0
  for (const source of due.each(host)) perHour += 60 / (world.intervalMinutes[source] ?? 60)
  return (perHour * (world.usualMs(host) + delayMs)) / HOUR_MS
}

export function simulateFromArgs(args: string[]): boolean {
  const option = (value: string) => ({ type: 'string', default: value }) as const
  const options = {
    ...{ sources: option('100000'), hosts: option('20000'), days: option('7'), workers: option('8') },
    ...{ 'delay-seconds': option('1'), seed: option('1') },
  }
  const { values } = parseArgs({ args, options })
  const size: ScaleSize = {
    ...{ sources: Number(values.sources), hosts: Number(values.hosts), days: Number(values.days) },
    ...{ workers: Number(values.workers), delaySeconds: Number(values['delay-seconds']), seed: Number(values.seed) },
  }
  if (!isSize(size))
    throw new Error('--sources, --hosts, --days and --workers are whole numbers, with a source for each host')
  const startedAt = performance.now()
  const figures = simulateScale(size, (day, polls) => console.log(`day ${day}: ${polls} polls so far`))
  console.log(figures.table())
  const heapMb = Math.round(process.memoryUsage().rss / 2 ** 20)
  console.log(`${((performance.now() - startedAt) / 1000).toFixed(0)} s, ${heapMb} MB`)
  return figures.violations === 0
}

function isSize({ sources, hosts, days, workers, delaySeconds }: ScaleSize): boolean {
  const areWhole = [sources, hosts, days, workers].every((n) => Number.isInteger(n) && n > 0)
  return areWhole && sources >= hosts && delaySeconds >= 0
}
