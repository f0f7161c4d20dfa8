// Makes plans again when the clock, the configured backoff cap or the configured interval has changed. All of this is rare
// and goes through all sources, a batch at a time.
import { type BackoffLimits, planNextPoll } from '../../domain/schedule.ts'
import type { Source } from '../../domain/source.ts'
import type { Log } from '../../ports/log.ts'
import type { PollingStore } from '../../ports/polling-store.ts'

const BATCH = 500

export interface ReplanDeps {
  readonly store: Pick<
    PollingStore,
    'polledAfter' | 'plannedUnderCap' | 'followInterval' | 'plannedUnderInterval' | 'planSources' | 'setHostsBack'
  >
  readonly rules: BackoffLimits
  readonly log: Log
}

/** The clock was set back: polls in the future count as made now, and hosts are left alone no longer than before. */
export async function readFutureAsNow({ store, rules, log }: ReplanDeps, now: number): Promise<void> {
  await store.setHostsBack(now)
  let replanned = 0
  for (;;) {
    const sources = await store.polledAfter(now, BATCH)
    if (sources.length === 0) break
    await store.planSources(
      sources.map((source) => {
        const lastPolled = now
        const nextPollAt = planNextPoll({ ...source, lastPolled }, rules, now)
        return { id: source.id, lastPolled, nextPollAt, was: source.nextPollAt }
      }),
    )
    replanned += sources.length
  }
  if (replanned > 0) log.warn({ sources: replanned }, '[Polling] the clock was set back; sources are planned again')
}

/**
 * The configured cap has changed since the plans were made. Sources with a cap of their own keep their plans, and what is
 * due stays due: a person may have made it due.
 */
export function replanUnderCap(deps: ReplanDeps, now: number): Promise<void> {
  return replan(deps, deps.store.plannedUnderCap, now)
}

/** The same for the configured interval, and sources without an interval of their own. */
export async function replanUnderInterval(deps: ReplanDeps, minutes: number, now: number): Promise<void> {
  let after: string | null = ''
  while (after !== null) after = await deps.store.followInterval(minutes, after)
  await replan(deps, deps.store.plannedUnderInterval, now)
}

async function replan(
  { store, rules }: ReplanDeps,
  planned: (afterId: string, limit: number) => Promise<readonly Source[]>,
  now: number,
): Promise<void> {
  let after = ''
  let sources: readonly Source[]
  do {
    sources = await planned(after, BATCH)
    const ahead = sources.filter(({ nextPollAt }) => nextPollAt === null || nextPollAt > now)
    await store.planSources(
      ahead.map((source) => {
        const nextPollAt = planNextPoll(source, rules, now)
        return { id: source.id, nextPollAt, was: source.nextPollAt }
      }),
    )
    after = sources.at(-1)?.id ?? after
  } while (sources.length === BATCH)
}
