// The two requests to X's API v2, sent through the visit of the poll with one user's key. Redirects are never followed.
// The key never appears in a failure's reason, even if an answer repeats it.
// See docs/decisions/0063-x-base-url-may-be-private.md
import { z } from 'zod'
import type { ReadResult, Visit, VisitResult } from '../../ports/reader.ts'
import { apiError, explanationOf, readAnswer, type XAnswer } from './answer.ts'
import type { Mark } from './mark.ts'
import { type XPost, xPost } from './post.ts'

const POSTS_PER_PAGE = 100
const FIELDS = 'created_at,author_id,note_tweet,referenced_tweets'

type Body = Extract<VisitResult, { kind: 'body' }>
/** Why there is no usable answer, in the form that the poll expects. */
export type NotRead = Extract<ReadResult, { kind: 'unreadable' | 'ended' }>
export type ApiResult<T> =
  | { readonly ok: true; readonly value: T; readonly answer: Body }
  | { readonly ok: false; readonly result: NotRead }

export interface Page {
  readonly posts: readonly XPost[]
  /** How many posts X returned, usable or not. */
  readonly returned: number
  readonly nextToken: string | null
  readonly notes: readonly string[]
}

export interface XApi {
  /** The account's id. */
  lookUp(): Promise<ApiResult<string>>
  /** `from`: no posts before this; only heeded while the mark has no post. */
  page(mark: Mark, from: number, token: string | null): Promise<ApiResult<Page>>
}

/** X knows no earlier instant. */
const EARLIEST = Date.UTC(2010, 10, 6, 0, 0, 1)

interface XApiOptions {
  readonly baseUrl: string
  readonly key: string
  readonly name: string
  readonly visit: Visit
  /** Told as soon as a page has arrived: X bills its posts, whatever becomes of the poll. */
  readonly onPostsRead: (posts: number) => Promise<void>
}

export function createXApi(given: XApiOptions): XApi {
  const base = given.baseUrl.replace(/\/+$/, '')
  return {
    lookUp: async () => reading(await ask(given, `${base}/2/users/by/username/${given.name}`), userIdIn),
    page: async (mark, from, token) => {
      const url = new URL(`${base}/2/users/${encodeURIComponent(mark.userId)}/tweets`)
      if (mark.sinceId !== null) url.searchParams.set('since_id', mark.sinceId)
      else url.searchParams.set('start_time', toTheSecond(Math.max(from, EARLIEST)))
      url.searchParams.set('tweet.fields', FIELDS)
      url.searchParams.set('max_results', String(POSTS_PER_PAGE))
      if (token !== null) url.searchParams.set('pagination_token', token)
      const page = reading(await ask(given, url.href), pageIn)
      if (page.ok && page.value.returned > 0) await given.onPostsRead(page.value.returned)
      return page
    },
  }
}

/** X takes whole seconds. */
function toTheSecond(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')
}

async function ask(
  { key, name, visit }: { key: string; name: string; visit: Visit },
  url: string,
): Promise<ApiResult<XAnswer>> {
  const headers = { authorization: `Bearer ${key}` }
  const answer = await visit.fetch({ url, accept: 'json', headers, followRedirects: false, configured: true })
  const hide = (text: string): string => encodedForms(key).reduce((told, one) => told.replaceAll(one, '***'), text)
  if (answer.kind === 'status') {
    return { ok: false, result: { kind: 'ended', by: withReason(answer, explanationOf(answer.excerpt), hide) } }
  }
  if (answer.kind === 'not-modified') throw new Error('X was asked without validators and its answer is "not modified"')
  if (answer.kind !== 'body') return { ok: false, result: { kind: 'ended', by: answer } }
  const read = readAnswer(answer.bytes, answer.status, name, hide)
  if (read.ok) return { ok: true, value: read.answer, answer }
  return { ok: false, result: { kind: 'unreadable', answer, failure: read.failure } }
}

function encodedForms(key: string): string[] {
  return [key, encodeURIComponent(key), Buffer.from(key).toString('base64').replace(/=+$/, '')]
}

/** Adds X's own message to the reason, unless the reason has it already. */
function withReason(
  answer: Extract<VisitResult, { kind: 'status' }>,
  words: string | null,
  hide: (text: string) => string,
): Extract<VisitResult, { kind: 'status' }> {
  const { failure } = answer
  if (words === null || failure.reason.includes(words)) return answer
  return { ...answer, failure: { ...failure, reason: `${failure.reason}: ${hide(words)}` } }
}

function reading<T>(asked: ApiResult<XAnswer>, read: (answer: XAnswer) => T | null): ApiResult<T> {
  if (!asked.ok) return asked
  const value = read(asked.value)
  if (value !== null) return { ok: true, value, answer: asked.answer }
  const failure = apiError(asked.answer.status, 'the answer of X does not hold what was asked for')
  return { ok: false, result: { kind: 'unreadable', answer: asked.answer, failure } }
}

const xUser = z.object({ id: z.string().regex(/^[^:\s]+$/) })

function userIdIn({ data }: XAnswer): string | null {
  return xUser.safeParse(data).data?.id ?? null
}

/** A malformed post is skipped; the others are kept. */
function pageIn({ data, nextToken, notes }: XAnswer): Page | null {
  const listed = data ?? []
  if (!Array.isArray(listed)) return null
  const read = listed.map((post: unknown) => xPost.safeParse(post))
  const posts = read.flatMap((post) => (post.success ? [post.data] : []))
  const bad = read.length - posts.length
  return {
    posts,
    returned: read.length,
    nextToken,
    notes: bad === 0 ? notes : [...notes, `${bad} posts without a usable id or text left out`],
  }
}
