// Test fetches: what a new source or a preview would bring. They go to the head of the lane like a poll by hand and wait
// at most 15 s. They may close a lane, but never change the health of a source or host. Their answer is kept for the
// first poll. Guesses have to fit into what is left of the 15 s.
// See docs/decisions/0092-preview-shows-what-the-first-poll-stores.md

import { hostOf } from '../../domain/address.ts'
import { choose } from '../../domain/choose.ts'
import { laneOfUrl, NULL_LANE } from '../../domain/lane.ts'
import { visitorFor } from '../../domain/owner-spacing.ts'
import { HostNotFree, Problem } from '../../domain/problem.ts'
import { NEVER_POLLED, type Source, type SourceType } from '../../domain/source.ts'
import { defaultSettings } from '../../domain/source-settings.ts'
import { laneOf, type SourceTypes } from '../../domain/source-type.ts'
import type { Clock } from '../../ports/clock.ts'
import type { FoundFeed, Preview, TestFetch } from '../../ports/engine.ts'
import type { PutOff, ReadResult, Visit, VisitRequest, VisitResult } from '../../ports/reader.ts'
import { closeLane } from '../lanes/close-lane.ts'
import { Turn } from '../lanes/turn.ts'
import { type PreviewTextDeps, withPreviewedText } from '../pages/preview-text.ts'
import type { AnswerFacts } from '../poll/poll-outcome.ts'
import type { PollDeps } from '../poll/poll-source.ts'
import type { Body } from './kept-fetches.ts'
import { PollVisit, type VisitOptions } from './visit.ts'

const WITHIN_MS = 15_000

/** There is no source yet that another process could poll. */
const NO_POLL: VisitOptions['poll'] = { meanwhile: async () => null, leaveLane: async () => 'ok' }

/** What was found at an address: the feed or page to poll, already read, and other feeds. */
export interface Discovered {
  readonly type: SourceType
  readonly url: string
  readonly read: ReadResult
  readonly feeds: readonly FoundFeed[]
  /** In words, what was not tried. */
  readonly notes: readonly string[]
}

/** `source` carries the address and, if a person gave one, the type. */
export type Discover = (source: Source, type: SourceType | null, visit: Visit) => Promise<Discovered>

export interface TestFetchDeps extends Omit<PreviewTextDeps, 'rules' | 'types'>, Pick<PollDeps, 'rules' | 'types'> {
  readonly discover: Discover
}

export class TestFetches {
  readonly #deps: TestFetchDeps

  constructor(deps: TestFetchDeps) {
    this.#deps = deps
  }

  async testFetch(request: TestFetch): Promise<Preview> {
    const probe = probeOf(request, this.#deps.types, this.#deps.clock.now())
    const visit = new RememberingVisit(this.#deps, probe, request)
    try {
      const found = await visit.unlessGivenUp(this.#deps.discover(probe, request.type, visit), () => {
        throw givenUp()
      })
      const document = this.#usable(found)
      this.#keep(request, found, visit)
      const preview = this.#previewOf(found, document, request.backfillDays ?? 0)
      await this.#leave(visit)
      const posts = await withPreviewedText(this.#deps, preview, probe, request, visit.leftMs)
      return { ...preview, posts }
    } finally {
      await this.#leave(visit)
    }
  }

  /** What the page behind a post is asked for comes after this: a visit never has two lanes. */
  async #leave(visit: RememberingVisit): Promise<void> {
    const { lastLane, lastAnswer } = visit
    await visit.leave()
    visit.lastAnswer = null
    if (lastAnswer) await closeLane(this.#deps, lastLane, lastAnswer)
  }

  #usable({ read, url }: Discovered): Extract<ReadResult, { kind: 'document' }> {
    switch (read.kind) {
      case 'document':
        return read
      case 'unreadable':
      case 'impossible':
        throw new Problem('nothing-usable', `Nothing usable at ${url}: ${read.failure.reason}.`)
      case 'unchanged':
        throw new Problem('nothing-usable', `Nothing usable at ${url}: it answered "not modified" to a first request.`)
      case 'ended':
        throw endedProblem(url, read.by)
    }
  }

  #keep(request: TestFetch, found: Discovered, visit: RememberingVisit): void {
    const asked = found.read.kind === 'document' ? (found.read.feedUrl ?? found.url) : found.url
    const body = visit.bodyOf(asked)
    if (body) this.#deps.kept.keep(request, asked, visit.credentialsFor(asked), body)
  }

  #previewOf(found: Discovered, read: Extract<ReadResult, { kind: 'document' }>, backfillDays: number) {
    const now = this.#deps.clock.now()
    const asNew = { lastSeenId: null, lastSucceededAt: null, createdAt: now, backfillDays, categoryFilter: null }
    const chosen = choose(read.candidates, [], asNew, {
      newEntries: this.#deps.types.of(found.type).newEntries,
      maxArticleAgeDays: this.#deps.rules.maxArticleAgeDays,
      lateArrivalHours: 0,
      startedAt: now,
    })
    return {
      type: found.type,
      url: found.url,
      feedUrl: read.feedUrl ?? null,
      title: read.title ?? null,
      statedAt: read.statedAt ?? null,
      posts: chosen.posts,
      dropped: chosen.dropped.map(({ candidate, rule }) => ({ title: candidate.title, url: candidate.url, rule })),
      feeds: found.feeds,
      notes: found.notes,
    }
  }
}

/** Like a poll's visit, but it enters its first lane itself and remembers what it was given. */
class RememberingVisit implements Visit {
  readonly keepsBodies = true
  readonly #visit: PollVisit
  readonly #clock: Clock
  readonly #startedAt: number
  readonly #bodies = new Map<string, Body>()
  /** Of the lane that answered last: it may ask to be left alone. */
  lastAnswer: Pick<AnswerFacts, 'status' | 'headers'> | null = null

  constructor(deps: TestFetchDeps, probe: Source, request: TestFetch) {
    // It has no lane before the first request; a turn that has ended makes the visit enter the right one.
    const nowhere = new Turn(NULL_LANE, null)
    nowhere.leave()
    this.#clock = deps.clock
    this.#startedAt = probe.createdAt
    this.#visit = new PollVisit(deps, probe, nowhere, {
      targetWithinMs: WITHIN_MS,
      basicAuth: request.basicAuth,
      blocked: null,
      useKept: false,
      visitor: visitorFor(probe),
      ifHostTaken: 'try-briefly',
      onWait: () => {},
      poll: NO_POLL,
      gate: async () => null,
      signal: request.signal ?? null,
    })
  }

  async fetch(request: VisitRequest): Promise<VisitResult> {
    const left = request.separate ? this.leftMs : null
    if (left !== null && left <= 0) {
      return {
        kind: 'put-off',
        until: this.#clock.now(),
        reason: 'no time is left',
        lane: this.lastLane,
        because: 'busy',
      }
    }
    const result = await this.#visit.fetch(left === null ? request : { ...request, withinMs: left })
    if ('headers' in result) this.lastAnswer = result
    if (result.kind === 'body') this.#bodies.set(request.url, result)
    return result
  }

  unlessGivenUp<T>(work: Promise<T>, otherwise: () => T): Promise<T> {
    return this.#visit.unlessGivenUp(work, otherwise)
  }

  get leftMs(): number {
    return this.#startedAt + WITHIN_MS - this.#clock.now()
  }

  /** The lane that answered last. */
  get lastLane(): string {
    return this.#visit.visited?.lane ?? NULL_LANE
  }

  credentialsFor(url: string): string | null {
    return this.#visit.credentialsFor(url)
  }

  bodyOf(url: string): Body | null {
    return this.#bodies.get(url) ?? null
  }

  leave(): Promise<void> {
    return this.#visit.leave(false)
  }
}

function endedProblem(url: string, by: Extract<ReadResult, { kind: 'ended' }>['by']): Problem {
  switch (by.kind) {
    case 'put-off':
      return notFree(url, by)
    case 'given-up':
      return givenUp()
    case 'failed':
    case 'status':
      return new Problem('nothing-usable', `Nothing usable at ${url}: ${by.failure.reason}.`)
  }
}

function givenUp(): Problem {
  return new Problem('not-ready', 'The test fetch was given up.')
}

function notFree(url: string, { until, because }: PutOff): Problem {
  const host = hostOf(url) ?? url
  const what =
    because === 'busy'
      ? `${host} is busy with other polls and was not free within ${WITHIN_MS / 1000} s. Try again`
      : `${host} cannot be asked before ${new Date(until).toISOString()}. Try again then`
  return new HostNotFree(until, `${what}, or add the source without validation (validate: false).`)
}

function probeOf(request: TestFetch, types: Pick<SourceTypes, 'of' | 'recognising'>, now: number): Source {
  const { type, url, userId } = request
  const known = type === null ? types.recognising(url) : types.of(type)
  const lane = known ? laneOf(known, url, userId) : laneOfUrl(url)
  return {
    id: '',
    userId,
    podcastId: '',
    type: type ?? 'rss',
    url,
    urlKey: url,
    host: hostOf(url),
    lane,
    ...defaultSettings({ pollIntervalMinutes: 30 }),
    backfillDays: request.backfillDays ?? 0,
    hasOwnInterval: false,
    enabled: true,
    hasCredentials: request.basicAuth !== null,
    trusted: request.trusted,
    typedHost: null,
    createdAt: now,
    version: 0,
    ...NEVER_POLLED,
  }
}
