// Polls a source now, lists its polls, and explains why it was or was not polled.
import { setTimeout } from 'node:timers/promises'
import { pollAnswer, queuedAnswer, whyAnswer } from '../../catalogue/shapes/answers.ts'
import { listOf } from '../../catalogue/shapes/paging.ts'
import { pageQuery, pollQuery } from '../../catalogue/shapes/schemas.ts'
import { pollView, queuedView, whyView } from '../../catalogue/shapes/views.ts'
import type { PollRecord } from '../../domain/outcome.ts'
import { HostNotFree } from '../../domain/problem.ts'
import type { ApiParts } from '../parts.ts'
import { ok, pageAnswer, type Route, route } from '../route.ts'
import { SOURCE } from './sources.ts'

const LONGEST_WAIT_SECONDS = 60

export function pollRoutes({ engine, store, find, rateLimits }: ApiParts): Route[] {
  const tag = 'Polls'
  return [
    route({
      ...{ method: 'POST', path: `${SOURCE}/poll`, tag, summary: 'Poll now, through the lane of the host' },
      query: pollQuery,
      answers: { 200: pollAnswer, 202: queuedAnswer },
      async handle(call) {
        const { id, enabled } = await find.source(call)
        rateLimits.poll(call.caller, id)
        const queued = await engine.queuePoll(id, call.query.trigger)
        const waitMs = call.query.wait ? Math.min(call.query.timeout, LONGEST_WAIT_SECONDS) * 1000 : 0
        try {
          const record = await finishedWithin(queued.finished, waitMs, call.signal)
          return record ? ok(pollView(record)) : { status: 202, body: await queuedView(queued) }
        } catch (error) {
          // A redirect led to a host that cannot be asked yet. The poll is planned for later, unless the source is disabled.
          if (!(error instanceof HostNotFree) || !enabled) throw error
          const expected = { expectedAt: error.until, reason: error.message }
          return { status: 202, body: await queuedView({ ...queued, expected: async () => expected }) }
        }
      },
    }),
    route({
      ...{ method: 'GET', path: `${SOURCE}/polls`, tag, summary: 'The polls of a source, newest first' },
      query: pageQuery,
      answers: { 200: pageAnswer(pollAnswer) },
      async handle(call) {
        const { id } = await find.source(call)
        const { limit, cursor } = call.query
        return ok(listOf(await store.listPolls(id, { limit, cursor: cursor ?? null }), pollView))
      },
    }),
    route({
      ...{ method: 'GET', path: `${SOURCE}/why`, tag, summary: 'Why it was or was not polled, and when it will be' },
      answers: { 200: whyAnswer },
      handle: async (call) => ok(whyView(await engine.why((await find.source(call)).id))),
    }),
  ]
}

/** Returns null if the poll does not finish in time. Its later result is ignored here. */
async function finishedWithin(
  finished: Promise<PollRecord>,
  waitMs: number,
  signal: AbortSignal,
): Promise<PollRecord | null> {
  if (waitMs === 0 || signal.aborted) {
    finished.catch(() => {})
    return null
  }
  const answered = new AbortController()
  const tooLate = setTimeout(waitMs, null, { signal: AbortSignal.any([signal, answered.signal]) }).catch(() => null)
  try {
    return await Promise.race([finished, tooLate])
  } finally {
    answered.abort()
    finished.catch(() => {})
  }
}
