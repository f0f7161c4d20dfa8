// A route is a value: what it answers to, who may, what it takes and gives, and the function that does it.
// Server, OpenAPI description and the 405 answers are all made from the same list of them.
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { z } from 'zod'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Who is calling. With authentication off, everybody is the admin. */
export interface Who {
  readonly admin: boolean
  readonly userId: string
  /** null: authentication is off, or the token of this run. */
  readonly tokenId: string | null
}

export interface Call<Q = unknown> {
  readonly who: Who
  readonly params: Readonly<Record<string, string>>
  readonly query: Q
  // biome-ignore lint/suspicious/noExplicitAny: whatever came; the catalogue's schemas judge it
  readonly body: any
  readonly headers: IncomingHttpHeaders
  /** Aborted when the caller goes away or the server closes. */
  readonly signal: AbortSignal
}

export interface Answer {
  readonly status: number
  readonly body?: unknown
  readonly text?: string
  readonly stream?: Readable
  readonly contentType?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface Route {
  readonly method: Method
  /** As Fastify writes it: `/api/users/:user`. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  /** 'anyone' needs no token; by default any valid token will do. */
  readonly access?: 'anyone' | 'token' | 'admin'
  /** Without a schema, as pages are, whatever is asked is passed over. */
  readonly query?: z.ZodType
  /** For the description: the catalogue is what judges bodies. */
  readonly body?: z.ZodType
  /** Nothing says the same as {}. */
  readonly mayOmitBody?: boolean
  /** 'list': OPML, JSON or lines, up to 10 MiB, handed over as bytes. */
  readonly takes?: 'json' | 'list'
  /** By status; null is an answer without a body, text an answer of that media type. */
  readonly answers: Readonly<Record<number, z.ZodType | string | null>>
  /** What happened, for the audit line in the log. */
  readonly audit?: string
  /** Whether this call is one to tell; by default all are. */
  audited?(call: Call): boolean
  handle(call: Call): Promise<Answer> | Answer
}

const NO_PARAMETERS = z.strictObject({})
/** Of what no answer depends on, for callers that put marks of their own behind every address. */
export const ANY_PARAMETERS: z.ZodType = z.looseObject({})

/** Reads the query by the route's schema before its handler sees it. Who names no parameters takes none. */
export function route<Q extends z.ZodType = z.ZodUnknown>(
  definition: Omit<Route, 'handle' | 'query'> & {
    readonly query?: Q
    handle(call: Call<z.output<Q>>): Promise<Answer> | Answer
  },
): Route {
  // The server parses the query by this very schema, so that the handler's type is the schema's output.
  return { query: NO_PARAMETERS, ...definition } as unknown as Route
}

export function ok(body: unknown): Answer {
  return { status: 200, body }
}

export function created(body: unknown): Answer {
  return { status: 201, body }
}

export const DONE: Answer = { status: 204 }

export function listOfAnswers(item: z.ZodType): z.ZodType {
  return z.object({ items: z.array(item), nextCursor: z.string().nullable() })
}
