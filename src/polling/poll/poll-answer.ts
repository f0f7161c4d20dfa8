// What the process that made a poll tells those who asked for it in other processes.
import type { PollRecord } from '../../domain/outcome.ts'
import { HostNotFree, isStoreAway, Problem } from '../../domain/problem.ts'
import type { PollAnswer } from '../../ports/lane-queue.ts'

/** null: the poll has no answer yet, because the store could not be reached. */
export function answerOfError(error: unknown): PollAnswer | null {
  if (isStoreAway(error)) return null
  const until = error instanceof HostNotFree ? error.until : null
  if (error instanceof Problem) return { kind: 'problem', code: error.code, detail: error.message, until }
  const detail = 'The poll failed because of a fault in the process that made it; its log tells more.'
  return { kind: 'problem', code: 'internal', detail, until }
}

export function recordOfAnswer(answer: PollAnswer): PollRecord {
  if (answer.kind === 'record') return answer.record
  const { code, detail, until } = answer
  throw until === null ? new Problem(code, detail) : new HostNotFree(until, detail)
}
