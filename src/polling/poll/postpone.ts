// What becomes of a poll that could not go on, because the host it leads to cannot be asked: no outcome, no failure. A
// plan that has come moves, and what a person asked for is planned for then. Which host it was is remembered.
// See docs/decisions/0096-postponed-manual-polls-are-scheduled.md
import { laneLedTo } from '../../domain/lane.ts'
import type { Trigger } from '../../domain/outcome.ts'
import type { Source } from '../../domain/source.ts'
import type { PutOff } from '../../ports/reader.ts'
import type { SourceChange } from '../../ports/source-store.ts'

export function afterPutOff(source: Source, putOff: PutOff, trigger: Trigger, now: number): SourceChange {
  const led = laneLedTo(putOff.lane, source.lane)
  return { ...planAfter(source, putOff, trigger, now), ...(led !== null && { leadsTo: led }) }
}

function planAfter({ nextPollAt }: Source, { until, because }: PutOff, trigger: Trigger, now: number): SourceChange {
  if (nextPollAt !== null && nextPollAt <= now) {
    // A breaker may close any time, and its sources are planned anew then: nobody's word, so none is written down.
    return because === 'breaker' ? { nextPollAt: until } : { nextPollAt: until, retryAt: until }
  }
  const isAsked = (trigger === 'manual' || trigger === 'create') && (nextPollAt === null || nextPollAt > until)
  return isAsked ? { nextPollAt: until } : {}
}
