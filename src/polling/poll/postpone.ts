// A poll that cannot go on because a host on its way cannot be asked now: neither an outcome nor a failure. Its source is
// planned for later, and remembers which host it was.
// See docs/decisions/0096-postponed-manual-polls-are-scheduled.md
import { laneLedTo } from '../../domain/lane.ts'
import type { Trigger } from '../../domain/outcome.ts'
import { planAfterPutOff } from '../../domain/schedule.ts'
import type { Source } from '../../domain/source.ts'
import type { PutOff } from '../../ports/reader.ts'
import type { SourceChange } from '../../ports/source-store.ts'

export function afterPutOff(source: Source, putOff: PutOff, trigger: Trigger, now: number): SourceChange {
  const led = laneLedTo(putOff.lane, source.lane)
  const isAskedFor = trigger === 'manual' || trigger === 'create'
  return { ...planAfterPutOff(source, putOff, isAskedFor, now), ...(led !== null && { leadsTo: led }) }
}
