// Expected trouble on the way in: one table of stable codes, shared by API, CLI and library.

const PROBLEMS = {
  'invalid-input': { status: 400, title: 'The input is not valid' },
  'malformed-request': { status: 400, title: 'The request cannot be read' },
  unauthorized: { status: 401, title: 'A valid token is needed' },
  'needs-admin': { status: 403, title: 'This needs an admin token' },
  'foreign-origin': { status: 403, title: 'Requests from another origin are refused' },
  'proxy-without-auth': { status: 403, title: 'Requests through a proxy need authentication' },
  'not-found': { status: 404, title: 'There is no such thing here' },
  'method-not-allowed': { status: 405, title: 'That method does not exist here' },
  conflict: { status: 409, title: 'That is in the way of something that exists' },
  'source-exists': { status: 409, title: 'The podcast has a source with this URL' },
  'name-taken': { status: 409, title: 'The name is taken' },
  'store-in-use': { status: 409, title: 'Another process works on this database file' },
  'source-changed': { status: 409, title: 'The source changed while it was being polled' },
  'limit-reached': { status: 409, title: 'A limit is reached' },
  'not-deletable': { status: 409, title: 'That cannot be deleted' },
  'body-too-large': { status: 413, title: 'The body is too large' },
  'unsupported-media-type': { status: 415, title: 'That media type is not understood here' },
  'nothing-usable': { status: 422, title: 'The test fetch found nothing usable' },
  'delivery-failed': { status: 502, title: 'The message could not be delivered' },
  'too-many-requests': { status: 429, title: 'Too many requests' },
  'host-not-free': { status: 503, title: 'The host cannot be asked right now' },
  'not-ready': { status: 503, title: 'Not ready' },
  'store-away': { status: 503, title: 'The database cannot be reached' },
  'secrets-unavailable': { status: 503, title: 'Secrets cannot be stored or read' },
  'storage-full': { status: 507, title: 'The disk of the database is full' },
  internal: { status: 500, title: 'Something went wrong here' },
} as const

export type ProblemCode = keyof typeof PROBLEMS

export interface FieldError {
  readonly path: string
  readonly message: string
}

export class Problem extends Error {
  readonly code: ProblemCode
  readonly status: number
  readonly title: string
  readonly errors: readonly FieldError[]

  constructor(code: ProblemCode, detail: string, errors: readonly FieldError[] = []) {
    super(detail)
    this.name = 'Problem'
    this.code = code
    this.status = PROBLEMS[code].status
    this.title = PROBLEMS[code].title
    this.errors = errors
  }
}

/** On an error of the store: its database cannot be reached just now, and nothing is wrong with what was asked. */
export interface StoreIsAway {
  readonly storeIsAway: true
  /** It cannot be written because its disk is full. */
  readonly storageFull?: true
}

export function isStorageFull(error: unknown): boolean {
  return (error as Partial<StoreIsAway> | null)?.storageFull === true
}

/** At which level an error of the store is logged by whoever meets it: the store itself logs that it is away, once. */
export function logLevelOf(error: unknown): 'debug' | 'error' {
  return isStoreAway(error) ? 'debug' : 'error'
}

export function isStoreAway(error: unknown): boolean {
  return (error as Partial<StoreIsAway> | null)?.storeIsAway === true
}

/** With when to try again. */
export class HostNotFree extends Problem {
  readonly until: number

  constructor(until: number, detail: string) {
    super('host-not-free', detail)
    this.until = until
  }
}
