// The table of configuration keys: default, allowed values and meaning of each key.
// Files, environment, library, `tidings config` and the table in docs/configuration.md all use it.
// See docs/decisions/0002-one-table-of-configuration-keys.md
import { databaseOf } from '../database-url.ts'
import { BUILT_IN_TYPES } from '../domain/built-in-types.ts'
import { httpUrl, listenHost, mailServerUrl, masterKey, network, publicUrl } from './addresses.ts'
import type { Key } from './key.ts'
import { anyNumber, listOf, oneOf, orNull, text, trueOrFalse, wholeNumber } from './kinds.ts'
import { LIMIT_KEYS } from './limit-keys.ts'

/** The keys below HOST_OVERRIDES are host names. Each of them has one setting: HOST_DELAY. */
export const HOST_OVERRIDES = 'source.host-overrides'
export const HOST_DELAY = 'poll-delay-seconds'
export const DEFAULT_HOST_OVERRIDES: Readonly<Record<string, number>> = { 'nitter.net': 3 }

export const delaySeconds = anyNumber({ min: 0, max: 3600 })
const timeoutSeconds = anyNumber({ min: 0.1, max: 3600 })
const anHttpUrl = text('an http or https URL', httpUrl)

export const KEYS: readonly Key[] = [
  {
    path: 'server.host',
    default: '127.0.0.1',
    kind: text('an address or host name to listen on', listenHost),
    about: 'the address that the API and the dashboard listen on',
  },
  {
    path: 'server.port',
    default: 8085,
    kind: wholeNumber({ min: 0, max: 65_535 }),
    about: 'the port of the API and the dashboard; 0 picks a free one',
  },
  {
    path: 'server.public-url',
    default: null,
    kind: orNull(text('an http or https URL without credentials, query or fragment', publicUrl)),
    about: 'the address that people use from outside; the User-Agent header shows it to the sites that are visited',
  },
  {
    path: 'server.auth',
    default: 'auto',
    kind: oneOf('auto', 'required', 'disabled'),
    about:
      'auto: requests need a token when public-url is set or the server listens beyond loopback; disabled: no token, on loopback only',
  },
  {
    path: 'database.url',
    default: 'file:./data/tidings.db',
    kind: text('file:PATH, file::memory: or postgres://...', (url) => (databaseOf(url) ? url : null)),
    about: 'the database: an embedded SQLite file, or PostgreSQL 13 or later',
  },
  {
    path: 'encryption.master-key',
    default: null,
    kind: orNull(text('base64 of 32 bytes', masterKey)),
    about: 'the key that encrypts stored secrets; on SQLite one is created when the first secret is stored',
    secret: true,
  },
  {
    path: 'source.tick-seconds',
    default: 60,
    kind: anyNumber({ min: 0.1, max: 86_400 }),
    about:
      'pause between two ticks of the scheduler; after a longer gap, overdue sources are spread out (a gap is at least 10 minutes, and a minute longer than the tick)',
  },
  {
    path: 'source.poll-interval-minutes',
    default: 30,
    kind: wholeNumber({ min: 1, max: 10_080 }),
    about:
      'how often a source is polled, unless the source sets its own interval; a change applies from the next start',
  },
  {
    path: 'source.max-article-age-days',
    default: 7,
    kind: wholeNumber({ min: 1, max: 100_000 }),
    about: 'older entries are not stored, and older unprocessed articles are deleted; a podcast can override it',
  },
  {
    path: 'source.max-failures',
    default: 5,
    kind: wholeNumber({ min: 1, max: 1000 }),
    about: 'how many permanent failures in a row disable a source; a source can override it',
  },
  {
    path: 'source.max-backoff-hours',
    default: 24,
    kind: wholeNumber({ min: 1, max: 720 }),
    about: 'the longest wait between two polls of a failing source; a source can override it',
  },
  {
    path: 'source.late-arrival-hours',
    default: 0,
    kind: anyNumber({ min: 0, max: 8760 }),
    about: 'how much older than the newest entry an unseen entry may be and still count as new',
  },
  ...BUILT_IN_TYPES.all.map(({ name, pollDelaySeconds }) => ({
    path: `source.poll-delay-seconds.${name}`,
    default: pollDelaySeconds,
    kind: delaySeconds,
    about: `the shortest pause between two visits to one host, for ${name} sources`,
  })),
  {
    path: 'source.max-concurrent-hosts',
    default: 64,
    kind: wholeNumber({ min: 1, max: 10_000 }),
    about: 'the highest number of requests in flight',
  },
  {
    path: 'source.aggregate-mode',
    default: 'thread',
    kind: oneOf('thread', 'digest'),
    about: 'how posts of aggregated sources become articles: one per thread, or one digest',
  },
  {
    path: 'source.breaker.failures',
    default: 3,
    kind: wholeNumber({ min: 0, max: 1000 }),
    about:
      'how many host failures in a row open the circuit breaker, which stops polling the host; 0 turns breakers off',
  },
  {
    path: 'source.breaker.sources',
    default: 2,
    kind: wholeNumber({ min: 1, max: 1000 }),
    about: 'how many different sources of the host must have failed before its breaker opens',
  },
  {
    path: 'source.breaker.wait-hours',
    default: 24,
    kind: anyNumber({ min: 1, max: 720 }),
    about: 'the longest wait between two probes of a host whose breaker is open',
  },
  {
    path: 'source.poll-history-days',
    default: 30,
    kind: wholeNumber({ min: 1, max: 3650 }),
    about: 'how long records of polls with a failure or new posts are kept',
  },
  {
    path: 'source.recheck-disabled-days',
    default: 0,
    kind: wholeNumber({ min: 0, max: 3650 }),
    about: 'an auto-disabled source is asked once in so many days, and enabled again if it works; 0: never',
  },
  {
    path: 'source.adaptive.min-minutes',
    default: 15,
    kind: wholeNumber({ min: 1, max: 10_080 }),
    about: 'the shortest interval that is learned for an adaptive source',
  },
  {
    path: 'source.adaptive.max-minutes',
    default: 1440,
    kind: wholeNumber({ min: 1, max: 10_080 }),
    about: 'the longest interval that is learned for an adaptive source; at least min-minutes',
  },
  {
    path: 'http.user-agent',
    default: null,
    kind: orNull(text('printable ASCII text', (value) => (/^[\x21-\x7e][\x20-\x7e]*$/.test(value) ? value : null))),
    about: 'the User-Agent header; null sends Tidings/<version> (+<public-url>)',
  },
  {
    path: 'http.connect-timeout-seconds',
    default: 10,
    kind: timeoutSeconds,
    about: 'time limit for DNS, connection and TLS together',
  },
  {
    path: 'http.headers-timeout-seconds',
    default: 30,
    kind: timeoutSeconds,
    about: 'time limit from sending the request to the end of the response headers',
  },
  { path: 'http.timeout-seconds', default: 60, kind: timeoutSeconds, about: 'time limit for a whole visit' },
  {
    path: 'http.max-body-bytes',
    default: 10_485_760,
    kind: wholeNumber({ min: 1, max: 1_073_741_824 }),
    about: 'the largest response body, after decompression',
  },
  {
    path: 'http.max-redirects',
    default: 5,
    kind: wholeNumber({ min: 0, max: 20 }),
    about: 'how many redirects one poll follows',
  },
  {
    path: 'http.allow-private-networks',
    default: [],
    kind: listOf(text('a network such as 10.0.0.0/8', network), 'networks such as 10.0.0.0/8'),
    about: 'private and loopback networks that may be visited',
  },
  {
    path: 'http.allow-ports',
    default: [],
    kind: listOf(wholeNumber({ min: 1, max: 65_535 }), 'port numbers such as 443'),
    about: 'the only ports that may be visited; an empty list allows every port',
  },
  { path: 'http.proxy', default: null, kind: orNull(anHttpUrl), about: 'an HTTP proxy for all outgoing requests' },
  {
    path: 'content.full-text',
    default: 'never',
    kind: oneOf('never', 'auto', 'always'),
    about:
      'whether the pages behind posts are asked for their text, for sources that do not say: `auto` when the text looks cut',
  },
  {
    path: 'content.max-pages-per-poll',
    default: 20,
    kind: wholeNumber({ min: 0, max: 1000 }),
    about: "for how many of a poll's newest posts the pages are asked",
  },
  {
    path: 'mcp.enabled',
    default: true,
    kind: trueOrFalse,
    about: 'whether AI clients can connect at /mcp; they need the same tokens as for the REST API',
  },
  {
    path: 'mcp.write',
    default: false,
    kind: trueOrFalse,
    about:
      'whether AI clients get tools that change something: add, change and poll sources, mark articles as processed',
  },
  {
    path: 'mail.url',
    default: null,
    kind: orNull(
      text('a URL such as smtp://user:password@host:587, special characters percent-encoded', mailServerUrl),
    ),
    about: 'the mail server that sends notifications: smtp://user:password@host:587, or smtps://',
    secret: true,
  },
  {
    path: 'mail.from',
    default: null,
    kind: orNull(text('a mail address', (value) => (/^[^\r\n]+@[^\r\n]+$/.test(value) ? value : null))),
    about: 'the address that notifications come from',
  },
  { path: 'x.base-url', default: 'https://api.x.com', kind: anHttpUrl, about: 'the address of the X API' },
  {
    path: 'x.max-posts-per-month',
    default: 0,
    kind: wholeNumber({ min: 0, max: 1_000_000_000 }),
    about:
      "once X has returned so many posts to a user's key in a month (UTC), that user's X sources wait for the next month; 0: no limit",
  },
  ...LIMIT_KEYS,
  {
    path: 'log.level',
    default: 'info',
    kind: oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'),
    about: 'the lowest level that is logged',
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
