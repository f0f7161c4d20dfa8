// A route is a value: its path and method, who may use it, what it takes and answers, and the function that handles it.
// The server, the OpenAPI document and the 405 answers are all made from the same list of routes.
// See docs/decisions/0050-routes-are-values.md
// See docs/decisions/0054-unknown-query-parameters-are-errors.md
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { z } from 'zod'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Who is calling. While authentication is off, everybody is an admin. */
export interface Caller {
  readonly admin: boolean
  readonly userId: string
  /** null if authentication is off, or if it is the token of this run. */
  readonly tokenId: string | null
}

export interface Call<Q = unknown> {
  readonly caller: Caller
  readonly params: Readonly<Record<string, string>>
  readonly query: Q
  // biome-ignore lint/suspicious/noExplicitAny: any JSON; the catalogue's schemas validate it
  readonly body: any
  readonly headers: IncomingHttpHeaders
  /** Of the caller, or of the proxy before it. */
  readonly address: string
  /** Aborted when the caller goes away or the server closes. */
  readonly signal: AbortSignal
}

export interface Answer {
  readonly status: number
  readonly body?: unknown
  readonly text?: string
  readonly bytes?: Uint8Array
  readonly stream?: Readable
  readonly contentType?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface Route {
  readonly method: Method
  /** In Fastify's notation: `/api/users/:user`. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  /** 'anyone' needs no token. The default is any valid token. */
  readonly access?: 'anyone' | 'token' | 'admin'
  /** Without a schema, as on pages, the query is ignored. */
  readonly query?: z.ZodType
  /** For the OpenAPI document only: the catalogue validates bodies. */
  readonly body?: z.ZodType
  /** Then no body means the same as {}. */
  readonly mayOmitBody?: boolean
  /** 'list' is OPML, JSON or lines of text, up to 10 MiB, passed on as bytes. 'json-text' is JSON that is not parsed. */
  readonly accepts?: 'json' | 'list' | 'json-text'
  /** By status. null means no body; a string is a media type. */
  readonly answers: Readonly<Record<number, z.ZodType | string | null>>
  /** What happened, for the audit log. */
  readonly audit?: string
  /** Whether this call is written to the audit log. The default is yes. */
  isAudited?(call: Call): boolean
  handle(call: Call): Promise<Answer> | Answer
}

const NO_PARAMETERS = z.strictObject({})
/** Accepts and ignores every parameter, for callers that add some of their own to every URL. */
export const ANY_PARAMETERS: z.ZodType = z.looseObject({})

/** Defines a route. Its query is validated before the handler sees it; without a schema every parameter is refused. */
export function route<Q extends z.ZodType = z.ZodUnknown>(
  definition: Omit<Route, 'handle' | 'query'> & {
    readonly query?: Q
    handle(call: Call<z.output<Q>>): Promise<Answer> | Answer
  },
): Route {
  // The server parses the query with this schema, so the handler's type is the schema's output.
  return { query: NO_PARAMETERS, ...definition } as unknown as Route
}

export function ok(body: unknown): Answer {
  return { status: 200, body }
}

export function created(body: unknown): Answer {
  return { status: 201, body }
}

export const NO_CONTENT: Answer = { status: 204 }

export function pageAnswer(item: z.ZodType): z.ZodType {
  return z.object({ items: z.array(item), nextCursor: z.string().nullable() })
}
