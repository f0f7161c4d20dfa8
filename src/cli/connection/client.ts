// A client of the REST API for commands: JSON in and out, lists read to their end, problems as readable messages.
import { CliFailure } from '../failure.ts'
import type { Reply, Request, Transport } from './transport.ts'

type Query = Readonly<Record<string, string | number | boolean | undefined>>

export interface List<T> {
  readonly items: readonly T[]
  readonly nextCursor: string | null
}

const PAGE = 500

export class Client {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  get<T>(path: string, query: Query = {}): Promise<T> {
    return this.#json<T>({ method: 'GET', path: withQuery(path, query) })
  }

  post<T>(path: string, body: unknown = {}, query: Query = {}): Promise<T> {
    return this.#json<T>({ method: 'POST', path: withQuery(path, query), body: JSON.stringify(body) })
  }

  put<T>(path: string, body: unknown): Promise<T> {
    return this.#json<T>({ method: 'PUT', path, body: JSON.stringify(body) })
  }

  patch<T>(path: string, body: unknown): Promise<T> {
    return this.#json<T>({ method: 'PATCH', path, body: JSON.stringify(body) })
  }

  async delete(path: string): Promise<void> {
    await this.ask({ method: 'DELETE', path })
  }

  /** All items of a paged list, or the first `most`. */
  async all<T>(path: string, query: Query = {}, most = Number.POSITIVE_INFINITY): Promise<T[]> {
    const items: T[] = []
    let cursor: string | undefined
    do {
      const limit = Math.min(PAGE, most - items.length)
      const page: List<T> = await this.get(path, { ...query, limit, cursor })
      items.push(...page.items)
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined && items.length < most)
    return items
  }

  /** Returns the reply. Throws RefusedRequest for a status of 400 or more. */
  async ask(request: Request): Promise<Reply> {
    const reply = await this.#transport.send(request)
    if (reply.status >= 400) throw new RefusedRequest(reply)
    return reply
  }

  async #json<T>(request: Request): Promise<T> {
    const { text } = await this.ask(request)
    return (text === '' ? undefined : JSON.parse(text)) as T
  }
}

export class RefusedRequest extends CliFailure {
  readonly status: number
  readonly code: string

  constructor(reply: Reply) {
    const { code, message } = problemOf(reply)
    // Invalid input is bad usage (exit code 2). Everything else is a failure (1).
    super(message, reply.status === 400 ? 2 : 1)
    this.status = reply.status
    this.code = code
  }
}

function problemOf(reply: Reply): { code: string; message: string } {
  try {
    const { title, detail, code, errors = [] } = JSON.parse(reply.text)
    // A conflict is about the whole request. Its errors say for programs which field it lies in.
    const lines = (reply.status === 409 ? [] : errors)
      .map(({ path, message }: { path: string; message: string }) => (path ? `${path}: ${message}` : message))
      // The detail often contains the same text.
      .filter((line: string) => !String(detail).includes(line))
      .map((line: string) => `  ${line}`)
    const hint = reply.status === 401 ? '\nPut a token into TIDINGS_TOKEN ("tidings token create" creates one).' : ''
    return { code: String(code), message: [`${detail ?? title}`, ...lines].join('\n') + hint }
  } catch {
    return { code: 'unknown', message: `The server answered with status ${reply.status}` }
  }
}

/** Encodes a text as one segment of a path. */
export function segment(text: string): string {
  return encodeURIComponent(text)
}

function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).filter((entry) => entry[1] !== undefined)
  const text = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()
  return text === '' ? path : `${path}?${text}`
}
