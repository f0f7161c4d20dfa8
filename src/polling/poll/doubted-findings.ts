// What a poll leaves behind while our clock may be wrong. Entries that seem too old are dropped this time, but nothing is
// remembered of them: the document is read again, and a clock that is right by then finds them new.
import { isFirstPoll } from '../../domain/choose.ts'
import type { Source } from '../../domain/source.ts'
import type { Findings } from './findings.ts'

/** Only entries that nobody has seen yet can be lost. */
export function mayLoseEntries({ tombstones }: Findings): boolean {
  return tombstones.length > 0
}

export function withoutMemory(findings: Findings, source: Source): Findings {
  const { outcome } = findings
  if (outcome.kind !== 'success' || !outcome.learned) return findings
  return {
    ...findings,
    tombstones: [],
    // Tombstones do not age either.
    candidates: null,
    outcome: {
      ...outcome,
      answer: { ...outcome.answer, validators: { etag: null, lastModified: null } },
      learned: {
        ...outcome.learned,
        lastSeenId: source.lastSeenId,
        bodyHash: null,
        choosesAsFirst: isFirstPoll(source),
      },
    },
  }
}
