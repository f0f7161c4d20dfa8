// Plans made anew because what they were made with is no longer true: the clock, the configured cap on backing off, or
// the configured interval. All are rare and walk through all sources, a batch at a time.
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

/** The clock was set back: polls of the future count as polls just now, and hosts are left alone no longer than before. */
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
  if (replanned > 0) log.warn({ sources: replanned }, '[Polling] the clock was set back; plans are made anew')
}

/**
 * The configured cap may be another one than the plans were made under. Sources with a cap of their own keep their
 * plans, and what is due stays due: a person, or a key at last, may have planned it for now.
 */
export function replanUnderCap(deps: ReplanDeps, now: number): Promise<void> {
  return replan(deps, deps.store.plannedUnderCap, now)
}

/** The same for the configured interval and those without one of their own. */
export async function replanUnderInterval(deps: ReplanDeps, minutes: number, now: number): Promise<void> {
  while ((await deps.store.followInterval(minutes, BATCH)) > 0);
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
