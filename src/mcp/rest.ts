// MCP tools are clients of the REST API, as commands are: what a caller may see and do is decided there and nowhere else.
import type { FieldError } from '../domain/problem.ts'
import { createMarks } from './untrusted.ts'

export interface RestRequest {
  readonly method: 'GET' | 'POST' | 'PATCH'
  /** Starts with `/` and includes the query. */
  readonly path: string
  readonly body?: string
}

export interface RestReply {
  readonly status: number
  readonly text: string
}

export type SendRequest = (request: RestRequest) => Promise<RestReply>

/** The tool's argument, by the parameter of REST. */
type Called = Readonly<Record<string, string>>

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>

/** The API refused a request. The message is for the model: it says what is wrong and what to do. */
export class Refused extends Error {
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.name = 'Refused'
    this.status = status
  }
}

export class Rest {
  readonly #send: SendRequest

  constructor(send: SendRequest) {
    this.#send = send
  }

  /** `called`: what the tool calls those parameters that it has other names for. Errors use the tool's names. */
  get<T>(path: string, query: Query = {}, called: Called = {}): Promise<T> {
    return this.#ask<T>({ method: 'GET', path: withQuery(path, query) }, called)
  }

  post<T>(path: string, body: unknown, query: Query = {}): Promise<T> {
    return this.#ask<T>({ method: 'POST', path: withQuery(path, query), body: JSON.stringify(body) })
  }

  patch<T>(path: string, body: unknown): Promise<T> {
    return this.#ask<T>({ method: 'PATCH', path, body: JSON.stringify(body) })
  }

  async #ask<T>(request: RestRequest, called: Called = {}): Promise<T> {
    const { status, text } = await this.#send(request)
    if (status >= 400) throw new Refused(explain(status, text, called), status)
    return JSON.parse(text) as T
  }
}

/** A part of a path. "." and ".." would name another path, however they are encoded; nothing has such an id. */
export function segment(id: string): string {
  if (id === '.' || id === '..') throw new Refused(`There is nothing with the id "${id}".\n${REMEDIES[404]}`, 404)
  return encodeURIComponent(id)
}

function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  if (given.length === 0) return path
  return `${path}?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`
}

const REMEDIES: Readonly<Record<number, string>> = {
  401: 'The client of this server has to be configured with a valid token.',
  403: 'Use a token with admin rights, or leave it.',
  404: 'Check the id: list_sources, search_posts and list_articles show ids.',
  429: 'Wait a minute before the next try.',
  503: 'Try again in a moment.',
}

/** A test fetch that found nothing usable. The reason may repeat what the other server said. */
const FOUND_NOTHING = 422

function explain(status: number, text: string, called: Called): string {
  const { title, detail, errors = [] } = problemIn(text)
  const told = inWordsOfTool(detail ?? title ?? `The server answered with status ${status}.`, called)
  if (status === FOUND_NOTHING) return foundNothing(told)
  const fields = errors
    .map(({ path, message }) => inWordsOfTool(path ? `${path}: ${message}` : message, called))
    .filter((line) => !told.includes(line))
  return [told, ...fields, ...(REMEDIES[status] ? [REMEDIES[status]] : [])].join('\n')
}

function foundNothing(reason: string): string {
  const marks = createMarks()
  const remedy = 'Check the address, or add it without a test: validate=false.'
  return `The address was tested, and nothing usable was found. ${marks.note}\n${marks.around(reason)}\n${remedy}`
}

/** A message begins with the name of the parameter that it is about. */
function inWordsOfTool(message: string, called: Called): string {
  return message.replace(/^(\w+)(?=: )/, (name) => (Object.hasOwn(called, name) ? String(called[name]) : name))
}

function problemIn(text: string): { title?: string; detail?: string; errors?: readonly FieldError[] } {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
