// One poll, one straight line with one exit: fetch -> read -> choose -> record. Whatever happens becomes one outcome,
// and one transaction writes it.
import { laneOfUrl, NULL_LANE } from '../../domain/lane.ts'
import type { Failure, Trigger } from '../../domain/outcome.ts'
import type { Candidate } from '../../domain/post.ts'
import { isStoreAway } from '../../domain/problem.ts'
import type { Source } from '../../domain/source.ts'
import type { SourceTypes } from '../../domain/source-type.ts'
import type { CoordinatedPoll } from '../../ports/coordinator.ts'
import type { Documents } from '../../ports/documents.ts'
import type { Log } from '../../ports/log.ts'
import type { PollWritten } from '../../ports/polling-store.ts'
import { type Readers, type ReadResult, readerOf } from '../../ports/reader.ts'
import type { Store } from '../../ports/store.ts'
import { logHostEvents } from '../hosts/host-events.ts'
import { closeLane } from '../lanes/close-lane.ts'
import type { ContentRules } from '../pages/content-rules.ts'
import type { ClockDoubt } from '../planning/clock-doubt.ts'
import type { PollVisit } from '../visit/visit.ts'
import { mayLoseEntries, withoutMemory } from './doubted-findings.ts'
import { withEarlierPages } from './earlier-pages.ts'
import { failedWith, findingsOf } from './findings.ts'
import { logPoll } from './poll-log.ts'
import type { PollResult } from './poll-result.ts'
import { type PollInHand, type RecordDeps, recordFindings } from './record-findings.ts'

export interface PollDeps extends RecordDeps {
  readonly log: Log
  readonly store: Store
  readonly types: Pick<SourceTypes, 'of' | 'recognising' | 'services'>
  readonly readers: Readers
  readonly documents: Documents
  readonly content: ContentRules
  readonly clockDoubt: Pick<ClockDoubt, 'isInDoubt'>
  /** Told of lanes in which pages of new posts wait. */
  readonly wakePages: (lanes: ReadonlySet<string>) => void
}

export async function pollSource(
  deps: PollDeps,
  source: Source,
  trigger: Trigger,
  visit: PollVisit,
  coordinated: CoordinatedPoll,
): Promise<PollResult> {
  const startedAt = deps.clock.now()
  const read = await readSafely(deps, source, visit, startedAt)
  if (read.kind === 'ended' && (read.by.kind === 'given-up' || read.by.kind === 'put-off')) return read.by
  return recordAndReport(deps, read, {
    ...{ source, trigger, startedAt, visit, coordinated },
    ahead: { offered: 0, stored: 0 },
  })
}

async function recordAndReport(deps: PollDeps, read: ReadResult, poll: PollInHand): Promise<PollWritten> {
  const { source, visit } = poll
  const { result, outcome, events, counted } = await findingsOf(deps, source, read, poll.startedAt)
    .then(async (found) =>
      mayLoseEntries(found) && (await deps.clockDoubt.isInDoubt()) ? withoutMemory(found, source) : found,
    )
    .then(async (findings) => {
      const recorded = await recordFindings(deps, poll, findings)
      deps.wakePages(lanesOfPages(findings.posts))
      return recorded
    })
    // Count it as a failure so that the source backs off.
    .catch((error: unknown) => recordFindings(deps, poll, failedWith(faultHere(deps, source, unlessStoreAway(error)))))
  if (result.kind === 'recorded') {
    logHostEvents(deps.log, events)
    const disabled = events.some(({ type }) => type === 'source.disabled')
    logPoll(deps.log, result.source, result.record, outcome, { counted, disabled })
  } else if (outcome.answer) {
    await closeLane(deps, visit.visited?.lane ?? NULL_LANE, outcome.answer)
  }
  return result
}

function lanesOfPages(posts: readonly Candidate[]): ReadonlySet<string> {
  return new Set(posts.flatMap(({ wantedText }) => (wantedText?.behind ? [laneOfUrl(wantedText.behind.url)] : [])))
}

/** A bug in a reader fails its own source, in words, and no other. */
async function readSafely(deps: PollDeps, source: Source, visit: PollVisit, startedAt: number): Promise<ReadResult> {
  try {
    const reading = withEarlierPages(deps, source, readerOf(deps.readers, source.type), visit, startedAt)
    return await visit.unlessGivenUp(reading, (by) => ({ kind: 'ended', by }))
  } catch (error) {
    return { kind: 'impossible', failure: faultHere(deps, source, unlessStoreAway(error)) }
  }
}

/** A database that cannot be reached is no fault of the source: nothing is recorded, and the source stays due. */
function unlessStoreAway(error: unknown): unknown {
  if (isStoreAway(error)) throw error
  return error
}

function faultHere(deps: PollDeps, source: Source, error: unknown): Failure {
  deps.log.error({ err: error, url: source.url }, `[Polling] ${source.url} could not be polled because of a fault here`)
  const reason = `unexpected error: ${error instanceof Error ? error.message : String(error)}`
  return { code: 'unexpected', httpStatus: null, reason }
}
