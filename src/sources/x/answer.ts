// What an answer of X's API says. It may be a 200 and still hold nothing but errors: those become failures here,
// while errors beside data become notes. An account that is gone or suspended is told apart from everything else,
// because only that is permanent.
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

export type Understood =
  | { readonly ok: true; readonly answer: XAnswer }
  | { readonly ok: false; readonly failure: Failure }

/** `name` is the account asked for; `hide` takes secrets out of what X says. */
export function understand(
  bytes: Uint8Array,
  status: number,
  name: string,
  hide: (text: string) => string,
): Understood {
  const parsed = envelope.safeParse(jsonOf(bytes))
  if (!parsed.success) return { ok: false, failure: apiError(status, 'the answer of X is not a JSON object') }
  const { data, errors, meta } = parsed.data
  const nothing = data === undefined || data === null
  // A page whose posts are all withheld is still a page.
  const partial = !nothing || (meta !== undefined && errors.every((error) => error.resource_type === 'tweet'))
  if (!partial) return { ok: false, failure: failureOf(errors.length > 0 ? errors : [parsed.data], status, name, hide) }
  const notes = [...new Set(errors.map((error) => `X left something out: ${hide(wordsOf(error))}`))]
  return { ok: true, answer: { data, nextToken: meta?.next_token ?? null, notes } }
}

export function apiError(httpStatus: number, reason: string): Failure {
  return { code: 'api-error', httpStatus, reason }
}

/** What X says about a status that is not a success; null when it says nothing. */
export function explanationIn(excerpt: string): string | null {
  const parsed = envelope.safeParse(jsonOf(new TextEncoder().encode(excerpt)))
  if (!parsed.success) return null
  const said = [parsed.data, ...parsed.data.errors].find((one) => one.detail ?? one.message ?? one.title)
  return said ? wordsOf(said) : null
}

function failureOf(
  errors: readonly XProblem[],
  httpStatus: number,
  name: string,
  hide: (text: string) => string,
): Failure {
  const gone = errors.find(isAboutTheAccount)
  const words = hide(wordsOf(gone ?? errors[0] ?? {}))
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

const LONGEST_WORDS = 300

function wordsOf({ detail, message, title }: XProblem): string {
  const words = Array.from((detail ?? message ?? title ?? 'without a word why').replace(/\s+/g, ' ').trim())
  return words.length <= LONGEST_WORDS ? words.join('') : `${words.slice(0, LONGEST_WORDS).join('')}...`
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}
