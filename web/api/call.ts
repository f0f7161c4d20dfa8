// Calls the REST API. Problems become messages that people can act on. The token stays in this browser tab.
import { tellOtherTabs } from './other-tabs.ts'

const TOKEN = 'tidings-token'
/** Longer than the server waits for any poll. */
const TIMEOUT_MS = 90_000

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface Details {
  readonly status?: number | null
  readonly code?: string | null
  readonly isPassing?: boolean
  readonly errors?: readonly FieldError[]
}

export interface FieldError {
  readonly path: string
  readonly message: string
}

export class ApiProblem extends Error {
  readonly status: number | null
  readonly code: string | null
  /** The next attempt may succeed, because Tidings or its database could not be reached. */
  readonly isPassing: boolean
  readonly errors: readonly FieldError[]

  constructor(message: string, { status = null, code = null, isPassing = false, errors = [] }: Details = {}) {
    super(message)
    this.status = status
    this.code = code
    this.isPassing = isPassing
    this.errors = errors
  }
}

export function keepToken(token: string): void {
  sessionStorage.setItem(TOKEN, token)
}

export function forgetToken(): void {
  sessionStorage.removeItem(TOKEN)
}

export function hasToken(): boolean {
  return sessionStorage.getItem(TOKEN) !== null
}

export interface CallOptions {
  readonly signal?: AbortSignal
  /** Sent as it is, with this content type, instead of a JSON body. */
  readonly raw?: { readonly body: string; readonly contentType: string }
  /** The request outlives the page. */
  readonly keepalive?: boolean
}

/** The caller names the type of the answer. */
export async function call<T>(method: Method, path: string, body?: unknown, options: CallOptions = {}): Promise<T> {
  const { status, ok, text } = await send(method, path, body, options)
  const answer = parsed(text)
  // Tidings gives every problem a code, so an error without one comes from a proxy.
  if (answer === undefined || (!ok && !answer?.code)) {
    const said = `The answer (status ${status}) did not come from Tidings, but most likely from a proxy in front of it.`
    throw new ApiProblem(`${said} Check that Tidings runs and that the proxy leads to it.`, { isPassing: true })
  }
  if (!ok) throw problemOf(status, answer ?? {})
  if (method !== 'GET' && !path.startsWith('/preview')) tellOtherTabs()
  return answer as T
}

/** The text of an answer that is not JSON. */
export async function callText(path: string): Promise<string> {
  const { status, ok, text } = await send('GET', path, undefined, {})
  if (!ok) throw problemOf(status, parsed(text) ?? {})
  return text
}

function problemOf(status: number, answer: Record<string, unknown>): ApiProblem {
  const code = typeof answer.code === 'string' ? answer.code : null
  if (code === 'store-away') {
    const said = 'Tidings cannot reach its database. Check that the database server runs.'
    return new ApiProblem(said, { status, code, isPassing: true })
  }
  const detail = typeof answer.detail === 'string' ? answer.detail : `The server answered ${status}.`
  const errors = Array.isArray(answer.errors) ? (answer.errors as FieldError[]) : []
  return new ApiProblem(detail, { status, code, errors })
}

async function send(method: Method, path: string, body: unknown, { signal, raw, keepalive = false }: CallOptions) {
  const type = raw?.contentType ?? (body === undefined ? null : 'application/json')
  const sent = raw?.body ?? (body === undefined ? null : JSON.stringify(body))
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const response = await fetch(`/api${path}`, {
      method,
      headers: { ...authorization(), ...(type === null ? {} : { 'content-type': type }) },
      body: sent,
      keepalive,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    return { status: response.status, ok: response.ok, text: await response.text() }
  } catch (error) {
    if (signal?.aborted || error instanceof ApiProblem) throw error
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    const what = isLate ? 'Tidings did not answer in time.' : 'Tidings cannot be reached.'
    throw new ApiProblem(`${what} Check that it runs and that the network is up.`, { isPassing: true })
  }
}

export function authorization(): Record<string, string> {
  const token = sessionStorage.getItem(TOKEN)
  if (token === null) return {}
  if (/^[\x21-\x7e]+$/.test(token)) return { authorization: `Bearer ${token}` }
  const wrong = 'This cannot be a token: tokens have no spaces and only plain letters, digits and signs.'
  throw new ApiProblem(`${wrong} Copy it once more, whole and alone.`, { status: 401 })
}

/** undefined when it is not JSON. */
function parsed(text: string): Record<string, unknown> | null | undefined {
  try {
    return text ? JSON.parse(text) : null
  } catch {
    return undefined
  }
}

/** A path with its query; parameters without a value are left out. */
export function withQuery(path: string, query: Readonly<Record<string, string | number | null | undefined>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== '')
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? path : `${path}?${text}`
}

/** All items of a list, page by page. */
export async function* eachPage<T>(
  path: string,
  query: Readonly<Record<string, string | number | null>> = {},
  options: CallOptions = {},
) {
  let cursor: string | null = null
  do {
    const page: { items: readonly T[]; nextCursor: string | null } = await call(
      'GET',
      withQuery(path, { limit: 500, ...query, cursor }),
      undefined,
      options,
    )
    yield page.items
    cursor = page.nextCursor
  } while (cursor !== null)
}
