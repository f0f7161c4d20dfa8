// What a good poll teaches about the rhythm of its source, and who is told: quiet, active again, or a gap.
import type { NewEvent } from '../../domain/event.ts'
import { type AdaptiveBounds, learnedInterval } from '../../domain/learned-interval.ts'
import {
  type Gap,
  newRhythm,
  type Publications,
  type PublishingHistory,
  quietSince,
  rhythmAfter,
  rhythmOfHistory,
} from '../../domain/rhythm.ts'
import type { Source } from '../../domain/source.ts'
import type { SourceChange } from '../../ports/source-store.ts'

/**
 * `found`: null when no document was read. Silence grows without one, so what follows from it is found out anyway.
 * `history`: of a source that was polled before rhythms were kept.
 */
export function rhythmEffects(
  { source, history }: { readonly source: Source; readonly history: PublishingHistory | null },
  found: Publications | null,
  stored: number,
  bounds: AdaptiveBounds,
  now: number,
): Pick<SourceChange, 'rhythm' | 'learnedIntervalMinutes' | 'quietSince'> {
  const before = source.rhythm ?? (history ? rhythmOfHistory(history, now) : newRhythm(now))
  const rhythm = found ? rhythmAfter(before, found, stored, now) : before
  return {
    ...(rhythm !== source.rhythm && { rhythm }),
    learnedIntervalMinutes: learnedInterval(rhythm, bounds, now),
    quietSince: quietSince(rhythm, now),
  }
}

export function rhythmEvents(source: Source, set: SourceChange, gap: Gap | null, at: number): readonly NewEvent[] {
  const url = set.url ?? source.url
  const about = { at, userId: source.userId, podcastId: source.podcastId, sourceId: source.id, host: source.host }
  const events: NewEvent[] = []
  if (gap) events.push({ ...about, type: 'source.gap', data: { url, intervalMinutes: gap.intervalMinutes } })
  if (set.quietSince === undefined) return events
  if (source.quietSince === null && set.quietSince !== null) {
    const lastPublishedAt = (set.rhythm ?? source.rhythm)?.lastPublishedAt ?? null
    const data = {
      url,
      quietSince: iso(set.quietSince),
      lastPublishedAt: lastPublishedAt === null ? null : iso(lastPublishedAt),
    }
    events.push({ ...about, type: 'source.quiet', data })
  }
  if (source.quietSince !== null && set.quietSince === null) {
    events.push({ ...about, type: 'source.active', data: { url, quietSince: iso(source.quietSince) } })
  }
  return events
}

function iso(at: number): string {
  return new Date(at).toISOString()
}
