// One poll in its turn: past the breakers of the hosts it asks, through `pollSource`, and out of its lane again. If
// another process dealt with the source meanwhile, what that process did is the result.

import type { Failure, Trigger } from '../../domain/outcome.ts'
import { visitorFor } from '../../domain/owner-spacing.ts'
import { logLevelOf } from '../../domain/problem.ts'
import type { Source } from '../../domain/source.ts'
import type { CoordinatedPoll, Coordinator, PollRequest } from '../../ports/coordinator.ts'
import type { PutOff } from '../../ports/reader.ts'
import { BreakerGate } from '../hosts/breaker-gate.ts'
import type { Turn } from '../lanes/turn.ts'
import { PollVisit, type VisitDeps } from '../visit/visit.ts'
import type { PollResult } from './poll-result.ts'
import { type PollDeps, pollSource } from './poll-source.ts'
import { afterPutOff } from './postpone.ts'
import type { StorageQuota } from './storage-quota.ts'

const TARGET_WITHIN_MS = 60_000

export interface RunPollDeps extends PollDeps, VisitDeps {
  readonly clock: PollDeps['clock']
  readonly store: PollDeps['store']
  readonly coordinator: Coordinator
  readonly quota: Pick<StorageQuota, 'waiting'>
  readonly clockDoubt: PollDeps['clockDoubt'] & VisitDeps['clockDoubt']
  /** The URL's credentials, opened; a Failure when they cannot be. */
  readonly credentials: (source: Source) => Promise<string | null | Failure>
}

export interface PollToRun {
  readonly source: Source
  readonly trigger: Trigger
  readonly turn: Turn
  /** Set when somebody asked for it. */
  readonly request: PollRequest | null
  /** Called when it waits for one more turn. */
  readonly onWait: () => void
  /** Called when its result could not even be recorded. */
  readonly onUnrecorded: () => void
}

export async function runPoll(deps: RunPollDeps, poll: PollToRun): Promise<PollResult> {
  const { source } = poll
  const coordinated = deps.coordinator.startPoll(source, poll.trigger, poll.request)
  try {
    const result = await unlessEndedElsewhere(await pollInTurn(deps, poll, coordinated), poll, coordinated)
    if (result.kind === 'put-off') await putOff(deps, poll, result, coordinated)
    if (result.kind === 'overtaken') {
      deps.log.info({ url: source.url }, `[Polling] ${source.url} not recorded: another process polled it first`)
    }
    return result
  } finally {
    await coordinated.end().catch(() => {})
  }
}

async function pollInTurn(deps: RunPollDeps, poll: PollToRun, coordinated: CoordinatedPoll): Promise<PollResult> {
  const { source, trigger, turn } = poll
  const gate = new BreakerGate(deps, source, trigger)
  const visit = await visitFor(deps, poll, gate, coordinated)
  let result: PollResult | null = null
  try {
    const heldBack = (await waitsForRoom(deps, poll)) ?? (await waitsForHost(gate, poll))
    result = heldBack ? { kind: 'put-off', ...heldBack } : await pollSource(deps, source, trigger, visit, coordinated)
    // Before the turn ends: the lane goes by it.
    if (result.kind === 'recorded') turn.isLaneEmpty = result.isLaneEmpty === true && visit.visited?.lane === turn.lane
    return result
  } catch (error) {
    poll.onUnrecorded()
    deps.log[logLevelOf(error)]({ err: error, url: source.url }, `[Polling] ${source.url} could not be recorded`)
    throw error
  } finally {
    await end(visit, gate, result?.kind === 'recorded')
  }
}

async function waitsForHost(gate: BreakerGate, { trigger, turn }: PollToRun): Promise<PutOff | null> {
  // A scheduled poll was let through by its lane; a turn without requests asks nobody.
  if (turn.needsNoRequest) return null
  if (trigger !== 'tick') await gate.enter(turn.lane)
  return gate.foresee()
}

/** A probe does not wait: the sources of others depend on it. */
async function waitsForRoom({ quota }: RunPollDeps, { source, trigger }: PollToRun): Promise<PutOff | null> {
  if (trigger === 'probe') return null
  const waiting = await quota.waiting(source, { isExact: trigger !== 'tick' })
  return waiting && { ...waiting, lane: source.lane, because: 'not-free' }
}

/** Somebody who asked for the poll gets what another process recorded instead. */
async function unlessEndedElsewhere(
  result: PollResult,
  { request }: PollToRun,
  coordinated: CoordinatedPoll,
): Promise<PollResult> {
  const isNotNeeded = result.kind === 'given-up' && result.because === 'not-needed'
  const isOvertaken = result.kind === 'overtaken' && request !== null
  return isNotNeeded || isOvertaken ? ((await coordinated.meanwhile()) ?? result) : result
}

async function end(visit: PollVisit, gate: BreakerGate, isRecorded: boolean): Promise<void> {
  try {
    await gate.settle(isRecorded, visit.visited?.lane ?? null, visit.passed)
  } finally {
    // The transaction wrote the host's spacing; without one it is still to be written.
    await visit.leave(isRecorded)
  }
}

async function visitFor(
  deps: RunPollDeps,
  { source, trigger, turn, onWait }: PollToRun,
  gate: BreakerGate,
  coordinated: CoordinatedPoll,
): Promise<PollVisit> {
  const credentials = source.hasCredentials ? await deps.credentials(source) : null
  return new PollVisit(deps, source, turn, {
    targetWithinMs: TARGET_WITHIN_MS,
    basicAuth: typeof credentials === 'string' ? credentials : null,
    blocked: typeof credentials === 'object' ? credentials : null,
    useKept: source.lastSucceededAt === null,
    visitor: visitorFor(source),
    ifHostTaken: trigger === 'tick' ? 'step-back' : 'wait',
    onWait,
    poll: coordinated,
    gate: gate.enter,
    signal: null,
  })
}

async function putOff(
  { clock, store, log }: RunPollDeps,
  { source, trigger }: PollToRun,
  until: PutOff,
  coordinated: CoordinatedPoll,
): Promise<void> {
  const now = clock.now()
  await store.changeSource(source.id, (current) => {
    if (!current.enabled || current.version !== source.version) return null
    return { set: afterPutOff(coordinated.asPlanned(current), until, trigger, now), events: [] }
  })
  // An open breaker was announced once, for all sources that wait for it.
  const level = until.because === 'breaker' ? 'debug' : 'info'
  log[level]({ url: source.url }, `[Polling] ${source.url} put off until ${new Date(until.until).toISOString()}`)
}
