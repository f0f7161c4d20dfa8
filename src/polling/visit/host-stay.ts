// A visit's stay at one host after another: a turn in the host's lane, and the coordinator's permit to ask it. A visit
// never has two lanes: it leaves one before it enters the next, at the head.
import type { HostState } from '../../domain/host.ts'
import { isNullLane } from '../../domain/lane.ts'
import { spacingAfter, type VisitDelay, type Visitor } from '../../domain/owner-spacing.ts'
import type { VisitTally } from '../../domain/politeness.ts'
import type { Clock } from '../../ports/clock.ts'
import type { CoordinatedPoll, Coordinator, HostPermit, NoPermit } from '../../ports/coordinator.ts'
import type { HostVisit } from '../../ports/polling-store.ts'
import type { GivenUp, PutOff } from '../../ports/reader.ts'
import type { Store } from '../../ports/store.ts'
import { enterAtHead } from '../lanes/enter-lane.ts'
import type { Lanes } from '../lanes/lanes.ts'
import type { Turn } from '../lanes/turn.ts'

/** For a visit that has waited in a lane twice, and each time another process came first. */
const ONCE_MORE_MS = 1000

export interface HostStayDeps {
  readonly clock: Clock
  readonly lanes: Lanes
  readonly store: Pick<Store, 'hostState' | 'noteVisit'>
  readonly coordinator: Pick<Coordinator, 'mayVisit'>
}

export interface HostStayOptions {
  readonly visitor: Visitor
  /**
   * If another process comes first to the host that the visit starts at. 'step-back': the lane takes the next due source
   * when the host is free. 'wait': somebody asked for it. 'try-briefly': somebody waits for it right now.
   */
  readonly ifHostTaken: 'step-back' | 'wait' | 'try-briefly'
  /** Called when it waits for one more turn, however long that takes. */
  readonly onWait: () => void
  /** The poll it belongs to. */
  readonly poll: Pick<CoordinatedPoll, 'meanwhile' | 'leaveLane'>
  /** Asked in each lane that is entered on the way: until when the poll is put off; null to go on. */
  readonly gate: (lane: string) => Promise<PutOff | null>
  /** Of whoever asked for it; null: nobody withdraws it. */
  readonly signal: AbortSignal | null
}

/** One request that a visit is about to make. */
export interface NextRequest {
  readonly lane: string
  /** The visit has asked nobody yet. */
  readonly isFirst: boolean
  /** Not part of the present stay, even at the same host. */
  readonly isSeparate: boolean
  readonly withinMs: number
  readonly delay: VisitDelay
}

/** A request that is over, and how long the host is left alone after it. */
export interface AskedRequest {
  readonly startedAt: number
  readonly completedAt: number
  readonly delay: VisitDelay
}

export type NotAsked = GivenUp | ({ readonly kind: 'put-off' } & PutOff)

export class HostStay {
  readonly #deps: HostStayDeps
  readonly #options: HostStayOptions
  readonly #ownLane: string
  /** Aborted when the visit has to end. */
  readonly signal: AbortSignal
  #turn: Turn
  #permit: HostPermit | null = null
  /** What was asked during this stay, until it is written down. */
  #tally: VisitTally | null = null
  #spacedUntil: number | null = null

  /** `ownLane`: that of the source, where the visit starts. */
  constructor(deps: HostStayDeps, ownLane: string, turn: Turn, options: HostStayOptions, stopping: AbortSignal) {
    this.#deps = deps
    this.#ownLane = ownLane
    this.#turn = turn
    this.#options = options
    this.signal = options.signal ? AbortSignal.any([stopping, options.signal]) : stopping
  }

  get lane(): string {
    return this.#turn.lane
  }

  get tally(): VisitTally | null {
    return this.#tally
  }

  get leasedBy(): string | null {
    return this.#permit?.leasedBy ?? null
  }

  /** The present host as it was leased. */
  get leasedHost(): HostState | null {
    return this.#permit?.host ?? null
  }

  /** Why the signal was aborted. */
  givenUp(): GivenUp {
    return givenUp(this.#options.signal?.aborted ? 'withdrawn' : 'stopping')
  }

  /** How many requests this visit may still make at the present host. */
  get requestsLeft(): number {
    const host = this.#turn.sighting?.host
    if (!host) return Number.POSITIVE_INFINITY
    return this.#deps.lanes.requestsLeft(host, this.#options.visitor) - (this.#tally?.requests ?? 0)
  }

  /** Resolves when the host may be asked, with the instant that the request starts at. */
  async readyFor(request: NextRequest): Promise<number | NotAsked> {
    const { isFirst, withinMs, delay } = request
    let againMs = withinMs
    // Beyond the limit of requests a minute the visit leaves the lane, and goes on when its turn comes again.
    const isSeparate = request.isSeparate || (!isFirst && this.requestsLeft <= 0)
    let notAsked = await this.#enter({ ...request, isSeparate }, withinMs)
    for (;;) {
      if (notAsked) return notAsked
      const startedAt = this.#deps.clock.now()
      const answer = await this.#permission(this.#visit(startedAt, delay, startedAt), isFirst)
      if (answer === 'granted') return startedAt
      if (answer !== 'host-taken' || (isFirst && this.#options.ifHostTaken === 'step-back')) return givenUp(answer)
      // From the head of the lane again: the other process may have closed it, and no request slot is held meanwhile.
      const longestMs = this.#waitsForOwnHost(isFirst) ? Number.POSITIVE_INFINITY : againMs
      againMs = ONCE_MORE_MS
      notAsked = (await this.#enter({ ...request, isSeparate: true }, longestMs)) ?? (await this.#ifNotNeeded(isFirst))
    }
  }

  async #permission(visit: HostVisit, isFirst: boolean): Promise<'granted' | NoPermit> {
    if (this.#permit) return this.#permit.extend(visit)
    const { poll } = this.#options
    const { lane, sighting } = this.#turn
    const answer = await this.#deps.coordinator.mayVisit(lane, visit, sighting, isFirst ? poll : null)
    if (typeof answer === 'string') return answer
    this.#permit = answer
    return 'granted'
  }

  /** `from`: when the delay begins. */
  #visit(startedAt: number, delay: VisitDelay, from: number): HostVisit {
    const before = this.#turn.sighting?.host ?? null
    const { userId } = this.#options.visitor
    return { startedAt, userId, ...spacingAfter(before, userId, delay, from) }
  }

  #waitsForOwnHost(isFirst: boolean): boolean {
    const { ifHostTaken, onWait } = this.#options
    if (!isFirst || this.lane !== this.#ownLane || ifHostTaken !== 'wait') return false
    onWait()
    return true
  }

  async #ifNotNeeded(isFirst: boolean): Promise<GivenUp | null> {
    return isFirst && (await this.#options.poll.meanwhile()) ? givenUp('not-needed') : null
  }

  async #enter({ lane, isFirst, isSeparate }: NextRequest, withinMs: number): Promise<NotAsked | null> {
    const { lanes } = this.#deps
    if (lane === this.lane && !this.#turn.needsNoRequest && !isSeparate) {
      if (!isFirst) this.#turn.releaseSlot = await lanes.requestSlots.take()
      return null
    }
    const { poll, gate, visitor } = this.#options
    if ((lane !== this.lane || !isFirst) && (await poll.leaveLane()) === 'overtaken') return givenUp('overtaken')
    await this.leave(false)
    const entered = await enterAtHead(this.#deps, lane, visitor, withinMs, this.signal)
    if (entered === 'aborted') return this.givenUp()
    if (!('turn' in entered)) return { kind: 'put-off', ...entered }
    this.#turn = entered.turn
    const putOff = await gate(lane)
    return putOff && { kind: 'put-off', ...putOff }
  }

  /** After a request. `tally`: what was asked during this stay so far; null: the host heard nothing. */
  noteRequest(request: AskedRequest, tally: VisitTally | null): void {
    this.widenSpacing(request)
    this.#tally = tally
    this.#turn.releaseSlot()
  }

  /** After the last request is known to need more spacing than it got. */
  widenSpacing({ startedAt, completedAt, delay }: AskedRequest): void {
    const visit = this.#visit(startedAt, delay, completedAt)
    this.#spacedUntil = Math.max(visit.notBefore, visit.othersNotBefore ?? 0)
    this.#permit?.noteRequest(visit)
  }

  /** Ends the turn. Spacing counts from the last completion even when nothing was recorded. */
  async leave(isRecorded: boolean): Promise<void> {
    this.#turn.releaseSlot()
    try {
      if (isRecorded) this.#permit?.endRecorded()
      else await this.#giveBack()
    } catch (error) {
      this.#turn.unwrittenNotBefore = this.#spacedUntil
      throw error
    } finally {
      this.#spacedUntil = null
      this.#tally = null
      this.#permit = null
      this.#turn.leave()
    }
  }

  async #giveBack(): Promise<void> {
    try {
      // Before the lease is given back: whoever has it next must see what was asked.
      if (this.#tally && !isNullLane(this.lane))
        await this.#deps.store.noteVisit(this.lane, this.#tally, this.#options.visitor.isLimited)
    } finally {
      await this.#permit?.giveBack()
    }
  }
}

function givenUp(because: GivenUp['because']): GivenUp {
  return { kind: 'given-up', because }
}
