// Reads an answer of X's API. A 200 may hold nothing but errors, which become a failure here; errors beside data become
// notes. An account that is gone or suspended has a code of its own, because only that is permanent.
import { z } from 'zod'
import type { Failure } from '../../domain/outcome.ts'

const problem = z.object({
  title: z.string().optional().catch(undefined),
  detail: z.string().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
  type: z.string().optional().catch(undefined),
  resource_type: z.string().optional().catch(undefined),
})
type XProblem = z.infer<typeof problem>

const envelope = problem.extend({
  data: z.unknown().optional(),
  errors: z.array(problem).catch([]),
  meta: z.object({ next_token: z.string().optional() }).optional().catch(undefined),
})

export interface XAnswer {
  readonly data: unknown
  readonly nextToken: string | null
  readonly notes: readonly string[]
}

export type AnswerRead =
  | { readonly ok: true; readonly answer: XAnswer }
  | { readonly ok: false; readonly failure: Failure }

/** `name` is the account that was requested; `hide` removes the key from X's own messages. */
export function readAnswer(
  bytes: Uint8Array,
  status: number,
  name: string,
  hide: (text: string) => string,
): AnswerRead {
  const parsed = envelope.safeParse(jsonOf(bytes))
  if (!parsed.success) return { ok: false, failure: apiError(status, 'the answer of X is not a JSON object') }
  const { data, errors, meta } = parsed.data
  const nothing = data === undefined || data === null
  // X may withhold all posts of a page. The page is still valid.
  const partial = !nothing || (meta !== undefined && errors.every((error) => error.resource_type === 'tweet'))
  if (!partial) return { ok: false, failure: failureOf(errors.length > 0 ? errors : [parsed.data], status, name, hide) }
  const notes = [...new Set(errors.map((error) => `X left something out: ${hide(messageOf(error))}`))]
  return { ok: true, answer: { data, nextToken: meta?.next_token ?? null, notes } }
}

export function apiError(httpStatus: number, reason: string): Failure {
  return { code: 'api-error', httpStatus, reason }
}

/** X's own message in the body of an error status; null when there is none. */
export function explanationOf(excerpt: string): string | null {
  const parsed = envelope.safeParse(jsonOf(new TextEncoder().encode(excerpt)))
  if (!parsed.success) return null
  const said = [parsed.data, ...parsed.data.errors].find((one) => one.detail ?? one.message ?? one.title)
  return said ? messageOf(said) : null
}

function failureOf(
  errors: readonly XProblem[],
  httpStatus: number,
  name: string,
  hide: (text: string) => string,
): Failure {
  const gone = errors.find(isAboutTheAccount)
  const words = hide(messageOf(gone ?? errors[0] ?? {}))
  if (!gone) return apiError(httpStatus, `X answered with an error: ${words}`)
  const what = isSuspended(gone) ? `@${name} is suspended on X` : `X knows no user @${name}`
  return { code: 'unknown-user', httpStatus, reason: `${what}: ${words}` }
}

function isAboutTheAccount(error: XProblem): boolean {
  if (error.resource_type === 'tweet') return false
  return isSuspended(error) || error.title === 'Not Found Error' || /\/resource-not-found$/.test(error.type ?? '')
}

function isSuspended(error: XProblem): boolean {
  return /\bsuspended\b/i.test(error.detail ?? '')
}

const MAX_MESSAGE_CHARACTERS = 300

function messageOf({ detail, message, title }: XProblem): string {
  const words = Array.from((detail ?? message ?? title ?? 'without a word why').replace(/\s+/g, ' ').trim())
  return words.length <= MAX_MESSAGE_CHARACTERS
    ? words.join('')
    : `${words.slice(0, MAX_MESSAGE_CHARACTERS).join('')}...`
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}
