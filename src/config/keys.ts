// Every key of the configuration, once: its default, what it may be, and what it is for. Files, environment,
// library, `tidings config` and the table in docs/configuration.md are all read from here.
import { SOURCE_TYPES } from '../domain/source.ts'
import { databaseOf, httpUrl, listenHost, masterKey, network, publicUrl } from './addresses.ts'
import { amount, type Kind, listOf, oneOf, orNull, text, whole } from './kinds.ts'

export interface Key {
  /** Kebab-case, without the leading `app.`. */
  readonly path: string
  readonly default: unknown
  readonly kind: Kind
  readonly about: string
  /** Never shown, not even in an error. */
  readonly secret?: true
}

/** Keys below this one are host names; its values hold only this. */
export const HOST_OVERRIDES = 'source.host-overrides'
export const HOST_DELAY = 'poll-delay-seconds'
export const DEFAULT_HOST_OVERRIDES: Readonly<Record<string, number>> = { 'nitter.net': 3 }

export const delaySeconds = amount({ min: 0, max: 3600 })
const timeoutSeconds = amount({ min: 0.1, max: 3600 })
const anHttpUrl = text('an http or https URL', httpUrl)

export const KEYS: readonly Key[] = [
  {
    path: 'server.host',
    default: '127.0.0.1',
    kind: text('an address or host name to listen on', listenHost),
    about: 'where API and dashboard listen',
  },
  { path: 'server.port', default: 8085, kind: whole({ min: 0, max: 65_535 }), about: 'their port; 0 takes a free one' },
  {
    path: 'server.public-url',
    default: null,
    kind: orNull(text('an http or https URL without credentials, query or fragment', publicUrl)),
    about: 'the address people use from outside; also named to the sites that are visited',
  },
  {
    path: 'server.auth',
    default: 'auto',
    kind: oneOf('auto', 'required', 'disabled'),
    about: 'auto: a token is needed when public-url is set or when listening beyond loopback; disabled: loopback only',
  },
  {
    path: 'database.url',
    default: 'file:./data/tidings.db',
    kind: text('file:PATH, file::memory: or postgres://...', (url) => (databaseOf(url) ? url : null)),
    about: 'the store: an embedded SQLite file, or PostgreSQL 13 and later',
  },
  {
    path: 'encryption.master-key',
    default: null,
    kind: orNull(text('base64 of 32 bytes', masterKey)),
    about: 'encrypts stored secrets; on SQLite one is made when first needed',
    secret: true,
  },
  {
    path: 'source.tick-seconds',
    default: 60,
    kind: amount({ min: 0.1, max: 86_400 }),
    about:
      'pause between two passes of the scheduler; one that is a minute longer, and 10 minutes at least, is a gap: what is overdue is spread',
  },
  {
    path: 'source.poll-interval-minutes',
    default: 30,
    kind: whole({ min: 1, max: 10_080 }),
    about: 'for sources that do not say; they follow a change from the next start on',
  },
  {
    path: 'source.max-article-age-days',
    default: 7,
    kind: whole({ min: 1, max: 100_000 }),
    about: 'older entries are not stored, older unprocessed ones are cleaned up; podcasts may say otherwise',
  },
  {
    path: 'source.max-failures',
    default: 5,
    kind: whole({ min: 1, max: 1000 }),
    about: 'permanent failures in a row that disable a source; sources may say otherwise',
  },
  {
    path: 'source.max-backoff-hours',
    default: 24,
    kind: whole({ min: 1, max: 720 }),
    about: 'the longest wait between polls of a failing source; sources may say otherwise',
  },
  {
    path: 'source.late-arrival-hours',
    default: 0,
    kind: amount({ min: 0, max: 8760 }),
    about: 'how far behind the newest entry an unseen one may be dated and still count as new',
  },
  ...SOURCE_TYPES.map((type) => ({
    path: `source.poll-delay-seconds.${type}`,
    default: type === 'website' ? 2 : 0,
    kind: delaySeconds,
    about: `least pause between two visits to one host, for ${type} sources`,
  })),
  {
    path: 'source.max-concurrent-hosts',
    default: 64,
    kind: whole({ min: 1, max: 10_000 }),
    about: 'requests in flight at most',
  },
  {
    path: 'source.aggregate-mode',
    default: 'thread',
    kind: oneOf('thread', 'digest'),
    about: 'how posts of aggregated sources become articles',
  },
  {
    path: 'source.breaker.failures',
    default: 3,
    kind: whole({ min: 0, max: 1000 }),
    about: 'failures in a row that speak of the host and stop its polling; 0 turns the breaker off',
  },
  {
    path: 'source.breaker.sources',
    default: 2,
    kind: whole({ min: 1, max: 1000 }),
    about: 'from at least so many different sources',
  },
  {
    path: 'source.breaker.wait-hours',
    default: 24,
    kind: amount({ min: 1, max: 720 }),
    about: 'the longest wait between two probes of a stopped host',
  },
  {
    path: 'source.poll-history-days',
    default: 30,
    kind: whole({ min: 1, max: 3650 }),
    about: 'how long polls with a failure or new posts are remembered one by one',
  },
  {
    path: 'http.user-agent',
    default: null,
    kind: orNull(text('printable ASCII text', (value) => (/^[\x21-\x7e][\x20-\x7e]*$/.test(value) ? value : null))),
    about: 'default: Tidings/<version> (+<public-url>)',
  },
  { path: 'http.connect-timeout-seconds', default: 10, kind: timeoutSeconds, about: 'for the connection' },
  { path: 'http.headers-timeout-seconds', default: 30, kind: timeoutSeconds, about: 'until the answer begins' },
  { path: 'http.timeout-seconds', default: 60, kind: timeoutSeconds, about: 'for a whole visit' },
  {
    path: 'http.max-body-bytes',
    default: 10_485_760,
    kind: whole({ min: 1, max: 1_073_741_824 }),
    about: 'of an answer, after decompression',
  },
  { path: 'http.max-redirects', default: 5, kind: whole({ min: 0, max: 20 }), about: 'followed in one poll' },
  {
    path: 'http.allow-private-networks',
    default: [],
    kind: listOf(text('a network such as 10.0.0.0/8', network), 'networks such as 10.0.0.0/8'),
    about: 'private and loopback networks that may be visited',
  },
  { path: 'http.proxy', default: null, kind: orNull(anHttpUrl), about: 'an HTTP proxy for all visits' },
  { path: 'x.base-url', default: 'https://api.x.com', kind: anHttpUrl, about: 'where the X API is' },
  {
    path: 'log.level',
    default: 'info',
    kind: oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'),
    about: 'the least important lines to write',
  },
  {
    path: 'log.format',
    default: 'auto',
    kind: oneOf('auto', 'json', 'pretty'),
    about: 'auto: pretty on a terminal, JSON otherwise',
  },
]

export function environmentName(path: string): string {
  return `APP_${path.toUpperCase().replace(/[.-]/g, '_')}`
}

export function camelCase(path: string): string {
  return path.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
