// The product's vocabulary for how a poll ends. Every reader speaks it, so the class of a failure
// survives from the socket to the source row.

export type FailureClass = 'transient' | 'permanent'

export type FailureCode =
  | 'http-status'
  | 'dns-not-found'
  | 'dns-failed'
  | 'connect-timeout'
  | 'connect-reset'
  | 'headers-timeout'
  | 'body-timeout'
  | 'visit-timeout'
  | 'connection-refused'
  | 'connection-reset'
  | 'unreachable'
  | 'tls'
  | 'bad-http'
  | 'body-empty'
  | 'body-too-large'
  | 'body-truncated'
  | 'bad-encoding'
  | 'not-a-feed'
  | 'too-deep'
  | 'no-text'
  | 'too-many-redirects'
  | 'redirect-loop'
  | 'bad-redirect'
  | 'refused-address'
  | 'bad-url'
  | 'proxy'
  | 'reader-timeout'
  | 'reader-crashed'
  | 'missing-key'
  | 'unreadable-secret'
  | 'unknown-user'
  | 'api-error'
  | 'unexpected'

export interface Failure {
  readonly code: FailureCode
  readonly httpStatus: number | null
  /** In words a person understands, without credentials. */
  readonly reason: string
}

const PERMANENT_STATUSES = new Set([401, 403, 404, 410])
const PERMANENT_CODES = new Set<FailureCode>(['dns-not-found', 'missing-key', 'unknown-user'])

export function classOf(failure: Failure): FailureClass {
  if (failure.code === 'http-status') return PERMANENT_STATUSES.has(failure.httpStatus ?? 0) ? 'permanent' : 'transient'
  return PERMANENT_CODES.has(failure.code) ? 'permanent' : 'transient'
}

/** How a failure is named in "5 consecutive 404 errors". */
export function failureName(failure: Failure): string {
  switch (failure.code) {
    case 'http-status':
      return String(failure.httpStatus)
    case 'dns-not-found':
      return 'DNS'
    case 'missing-key':
      return 'missing-key'
    case 'unknown-user':
      return 'unknown-user'
    default:
      return failure.code
  }
}

export const SKIP_RULES = [
  'unreadable',
  'filtered',
  'notNew',
  'late',
  'tooOld',
  'beforeCreated',
  'edited',
  'duplicate',
] as const
export type SkipRule = (typeof SKIP_RULES)[number]
export type SkipCounts = Readonly<Record<SkipRule, number>>

export const NOTHING_SKIPPED: SkipCounts = {
  unreadable: 0,
  filtered: 0,
  notNew: 0,
  late: 0,
  tooOld: 0,
  beforeCreated: 0,
  edited: 0,
  duplicate: 0,
}

export type Trigger = 'tick' | 'manual' | 'create' | 'probe'
/** Somebody wants it now: by itself, or because the source was just added. */
export type AskedTrigger = Extract<Trigger, 'manual' | 'create'>

export interface PollRecord {
  readonly id: string
  readonly sourceId: string
  readonly startedAt: number
  readonly durationMs: number
  readonly trigger: Trigger
  readonly outcome: 'success' | FailureClass
  readonly httpStatus: number | null
  readonly notModified: boolean
  readonly bytes: number
  readonly found: number
  readonly created: number
  readonly skipped: SkipCounts
  /** Entries may have come and gone between the poll before and this one. */
  readonly gap: boolean
  readonly reason: string | null
}
