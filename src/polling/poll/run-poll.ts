// One poll in its turn: past the breakers on its way, through `pollSource`, and out of its lane again. Where several
// processes poll, another may have come first: then what that one did is what became of this one.
import type { Failure, PollRecord, Trigger } from '../../domain/outcome.ts'
import { HostNotFree, Problem } from '../../domain/problem.ts'
import type { Source } from '../../domain/source.ts'
import type { PollingStore } from '../../ports/polling-store.ts'
import type { PutOff } from '../../ports/reader.ts'
import { type Asked, polledElsewhere } from '../coordination/polled-elsewhere.ts'
import { OnTheWay } from '../coordination/redirect-lease.ts'
import { BreakerGate } from '../hosts/breaker-gate.ts'
import type { Turn } from '../lanes/lanes.ts'
import { PollVisit, type VisitDeps, type VisitOptions } from '../visit/visit.ts'
import { type PollDeps, type PollResult, pollSource } from './poll-source.ts'
import { afterPutOff } from './postpone.ts'

const TARGET_WITHIN_MS = 60_000

export interface RunPollDeps extends PollDeps, VisitDeps {
  readonly holds: VisitDeps['holds']
  readonly store: PollDeps['store'] & PollingStore
  /** The URL's credentials, opened; a Failure when they cannot be. */
  readonly credentials: (source: Source) => Promise<string | null | Failure>
}

export interface PollToRun {
  readonly source: Source
  readonly trigger: Trigger
  readonly turn: Turn
  /** Set when somebody asked for it. */
  readonly asked: Asked | null
  /** Told when it waits for a turn once more. */
  readonly waits: () => void
  /** Told when it could not even be recorded. */
  readonly isStuck: () => void
}

export async function runPoll(deps: RunPollDeps, poll: PollToRun): Promise<PollRecord> {
  const way = new OnTheWay(deps, poll.source)
  try {
    return await recordOf(deps, poll, await pollOn(deps, way, poll), way)
  } finally {
    // What could not be written is due by itself a little later.
    await way.ends().catch(() => {})
  }
}

async function pollOn(deps: RunPollDeps, way: OnTheWay, poll: PollToRun): Promise<PollResult> {
  const { source, trigger, turn, asked, waits } = poll
  const gate = new BreakerGate(deps, source, trigger)
  const ended: { elsewhere: PollResult | null } = { elsewhere: null }
  const stillNeeded = async () => {
    ended.elsewhere = await endedElsewhere(deps, way, source, asked)
    return ended.elsewhere === null
  }
  // Who asked for it waits for it, and gets it, whatever becomes of the plan.
  const isPatient = trigger !== 'tick'
  const leaves = async () => (await way.leaves()) || isPatient
  const visit = await visitFor(deps, poll, gate, { waits: isPatient ? waits : null, stillNeeded, leaves })
  let result: PollResult | null = null
  try {
    // A scheduled poll was let through by its lane; a free turn asks nobody.
    if (trigger !== 'tick' && !turn.needsNoRequest) await gate.enter(turn.lane)
    const heldBack = turn.needsNoRequest ? null : await gate.foresee()
    result = heldBack ? { kind: 'put-off', ...heldBack } : await pollSource(deps, source, trigger, visit, way)
    // Who asked for it gets what the other one recorded.
    if (asked && result.kind === 'overtaken') await stillNeeded()
  } catch (error) {
    poll.isStuck()
    deps.log.error({ err: error, url: source.url }, `[Polling] ${source.url} could not be recorded`)
    throw error
  } finally {
    await end(visit, gate, result?.kind === 'recorded')
  }
  return ended.elsewhere ?? result
}

/** What became of it while another process was at its host; null: nothing, it is still to be polled. */
async function endedElsewhere(
  deps: RunPollDeps,
  way: OnTheWay,
  before: Source,
  asked: Asked | null,
): Promise<PollResult | null> {
  const source = await deps.store.getSource(before.id)
  if (!source) return { kind: 'source-gone' }
  if (source.version !== before.version) return { kind: 'source-changed' }
  if (!asked) return isAsBefore(way.asPlanned(source), before) ? null : { kind: 'overtaken' }
  const record = await polledElsewhere(deps, asked, source)
  return record && { kind: 'recorded', record, source }
}

async function end(visit: PollVisit, gate: BreakerGate, isRecorded: boolean): Promise<void> {
  try {
    await gate.settle(isRecorded, visit.visited?.lane ?? null, visit.passed)
  } finally {
    // The transaction moved the host's spacing on; without one it is still owed.
    await visit.leave(isRecorded)
  }
}

async function visitFor(
  deps: RunPollDeps,
  { source, turn }: PollToRun,
  gate: BreakerGate,
  // A scheduled one steps back: the lane takes the next due source from the store then, when it is free.
  amongOthers: Pick<VisitOptions, 'waits' | 'stillNeeded' | 'leaves'>,
): Promise<PollVisit> {
  const credentials = source.hasCredentials ? await deps.credentials(source) : null
  const blocked = typeof credentials === 'object' ? credentials : null
  return new PollVisit(deps, source, turn, {
    targetWithinMs: TARGET_WITHIN_MS,
    basicAuth: typeof credentials === 'string' ? credentials : null,
    blocked,
    useKept: source.lastSucceededAt === null,
    gate: gate.enter,
    ...amongOthers,
  })
}

async function recordOf(
  deps: RunPollDeps,
  { source, trigger }: PollToRun,
  result: PollResult,
  way: OnTheWay,
): Promise<PollRecord> {
  switch (result.kind) {
    case 'recorded':
      return result.record
    case 'put-off':
      await putOffUntil(deps, { source, trigger }, result, way)
      throw new HostNotFree(
        result.until,
        `The poll was put off until ${new Date(result.until).toISOString()}: ${result.reason}.`,
      )
    case 'source-gone':
      throw noSuchSource()
    case 'source-changed':
      throw new Problem('source-changed', 'The URL, type or key changed while it was being polled; poll it again.')
    case 'overtaken':
      deps.log.info({ url: source.url }, `[Polling] ${source.url} not recorded: another process went before`)
      throw new GaveWay('Nothing was recorded: another process went before.')
    case 'aborted':
      throw new GaveWay(
        'The poll was given up, nothing was recorded: the process is ending, or another was at its host first.',
      )
  }
}

async function putOffUntil(
  deps: RunPollDeps,
  { source, trigger }: Pick<PollToRun, 'source' | 'trigger'>,
  putOff: PutOff,
  way: OnTheWay,
): Promise<void> {
  const { clock, store, log } = deps
  const now = clock.now()
  await store.changeSource(source.id, (current) => {
    if (!current.enabled || current.version !== source.version) return null
    return { set: afterPutOff(way.asPlanned(current), putOff, trigger, now), events: [] }
  })
  // A breaker was announced, once for all who wait for it.
  const level = putOff.because === 'breaker' ? 'debug' : 'info'
  log[level]({ url: source.url }, `[Polling] ${source.url} put off until ${new Date(putOff.until).toISOString()}`)
}

/** Neither polled nor planned anew since it was read. */
function isAsBefore(now: Source, before: Source): boolean {
  return now.lastPolled === before.lastPolled && now.nextPollAt === before.nextPollAt
}

/** A scheduled poll comes to this every now and then, where several processes poll. */
class GaveWay extends Problem {
  constructor(detail: string) {
    super('not-ready', detail)
  }
}

export function ifItGaveWay<T>(instead: () => Promise<T>): (error: unknown) => Promise<T> {
  return async (error) => {
    if (error instanceof GaveWay) return instead()
    throw error
  }
}

export function noSuchSource(): Problem {
  return new Problem('not-found', 'There is no such source.')
}
