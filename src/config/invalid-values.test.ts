import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { load, problemsOf } from '../../test/support/config-inputs.ts'

describe('invalid values', () => {
  // [key below app, YAML of the value, the whole message]
  const REFUSED: readonly (readonly [string, string, string])[] = [
    ['source.max-failures', 'many', 'expected a whole number of at least 1, got "many"'],
    ['source.max-failures', '0', 'expected a whole number of at least 1, got 0'],
    ['source.max-failures', '1.5', 'expected a whole number of at least 1, got 1.5'],
    ['source.max-failures', '"5"', 'expected a whole number of at least 1, got "5"'],
    ['source.max-failures', '1001', 'expected a whole number of at most 1000, got 1001'],
    ['source.max-failures', 'null', 'expected a whole number of at least 1, got nothing'],
    ['source.max-failures', '[1]', 'expected a whole number of at least 1, got a list'],
    ['source.max-failures', '{ a: 1 }', 'expected a whole number of at least 1, got a mapping'],
    ['source.max-failures', 'true', 'expected a whole number of at least 1, got true'],
    ['source.tick-seconds', '0', 'expected a number of at least 0.1, got 0'],
    ['source.tick-seconds', '.inf', 'expected a number of at least 0.1, got Infinity'],
    ['source.poll-interval-minutes', '10081', 'expected a whole number of at most 10080, got 10081'],
    ['source.max-article-age-days', '0', 'expected a whole number of at least 1, got 0'],
    ['source.max-backoff-hours', '721', 'expected a whole number of at most 720, got 721'],
    ['source.late-arrival-hours', '-1', 'expected a number of at least 0, got -1'],
    ['source.poll-delay-seconds.rss', '3601', 'expected a number of at most 3600, got 3601'],
    ['source.max-concurrent-hosts', '0', 'expected a whole number of at least 1, got 0'],
    ['source.aggregate-mode', 'threads', 'expected one of thread, digest, got "threads", did you mean thread?'],
    ['source.breaker.failures', '-1', 'expected a whole number of at least 0, got -1'],
    ['source.breaker.sources', '0', 'expected a whole number of at least 1, got 0'],
    ['source.breaker.wait-hours', '0.5', 'expected a number of at least 1, got 0.5'],
    ['source.breaker', '3', 'expected a mapping, got 3'],
    ['source.poll-history-days', '0', 'expected a whole number of at least 1, got 0'],
    ['server.host', '"a b"', 'expected an address or host name to listen on, got "a b"'],
    ['server.host', '999.1.1.1', 'expected an address or host name to listen on, got "999.1.1.1"'],
    ['server.port', '65536', 'expected a whole number of at most 65535, got 65536'],
    [
      'server.public-url',
      '"ftp://x"',
      'expected an http or https URL without credentials, query or fragment, got "ftp://x"',
    ],
    [
      'server.public-url',
      '"https://me:pw@x"',
      'expected an http or https URL without credentials, query or fragment, got "https://***@x"',
    ],
    ['server.auth', 'disable', 'expected one of auto, required, disabled, got "disable", did you mean disabled?'],
    [
      'database.url',
      '"mysql://u:pw@h/d"',
      'expected file:PATH, file::memory: or postgres://..., got "mysql://***@h/d"',
    ],
    ['database.url', '"file:"', 'expected file:PATH, file::memory: or postgres://..., got "file:"'],
    ['encryption.master-key', 'c2hvcnQ=', 'expected base64 of 32 bytes, got something else'],
    ['http.user-agent', '"a\\nb"', 'expected printable ASCII text, got "a\\nb"'],
    ['http.connect-timeout-seconds', '0', 'expected a number of at least 0.1, got 0'],
    ['http.headers-timeout-seconds', '3601', 'expected a number of at most 3600, got 3601'],
    ['http.timeout-seconds', 'soon', 'expected a number of at least 0.1, got "soon"'],
    ['http.max-body-bytes', '0', 'expected a whole number of at least 1, got 0'],
    ['http.max-redirects', '21', 'expected a whole number of at most 20, got 21'],
    ['http.allow-private-networks', '10.0.0.0/8', 'expected a list of networks such as 10.0.0.0/8, got "10.0.0.0/8"'],
    ['http.allow-private-networks', '[10.0.0.0/33]', 'expected a network such as 10.0.0.0/8, got "10.0.0.0/33"'],
    ['http.allow-private-networks', '["fd00::/129"]', 'expected a network such as 10.0.0.0/8, got "fd00::/129"'],
    [
      'http.allow-private-networks',
      '["a/8", 10.0.0.0/8, "b/8", 7]',
      'expected a network such as 10.0.0.0/8, got "a/8", "b/8", 7',
    ],
    ['http.proxy', '"socks://me:pw@p"', 'expected an http or https URL, got "socks://***@p"'],
    ['x.base-url', 'null', 'expected an http or https URL, got nothing'],
    ['log.level', 'inf', 'expected one of trace, debug, info, warn, error, silent, got "inf", did you mean info?'],
    ['log.format', 'xml', 'expected one of auto, json, pretty, got "xml"'],
    ['source.host-overrides', '[a]', 'expected a mapping of host names, got a list'],
    ['source.host-overrides', '{ a.example: 3 }', '.a.example: expected { poll-delay-seconds: N }, got 3'],
    [
      'source.host-overrides',
      '{ a.example: { poll-delay-seconds: -1 } }',
      '.a.example.poll-delay-seconds: expected a number of at least 0, got -1',
    ],
    [
      'source.host-overrides',
      '{ "a.example:80": { poll-delay-seconds: 1 } }',
      '.a.example:80: expected a host name without scheme, port or path, got "a.example:80"',
    ],
    [
      'source.host-overrides',
      '{ a.example: { poll-delay-seconds: 1 }, A.example: { poll-delay-seconds: 1 } }',
      '.A.example: a.example is given twice',
    ],
  ]

  for (const [key, value, message] of REFUSED) {
    test(`${key}: ${value} is rejected with the expected and the given value`, () => {
      const yaml = `app:\n  ${key
        .split('.')
        .reduceRight((inner, name) => `{ ${name}: ${inner} }`, value)
        .slice(2, -2)}`
      const full = message.startsWith('.') ? `app.${key}${message}` : `app.${key}: ${message}`
      assert.deepEqual(
        problemsOf(() => load({ yaml })),
        [`${full} (tidings.yaml:2)`],
      )
    })
  }

  test('an unfilled placeholder does not hide other problems of its list or its value', () => {
    const at = ' (tidings.yaml:1)'
    const list = `app: { http: { allow-private-networks: ["$\{UNSET}", "b/8"] } }`
    assert.deepEqual(
      problemsOf(() => load({ yaml: list })),
      [
        `app.http.allow-private-networks: the environment variable UNSET is not set and $\{UNSET} has no default${at}`,
        `app.http.allow-private-networks: expected a network such as 10.0.0.0/8, got "b/8"${at}`,
      ],
    )
    const [both] = problemsOf(() => load({ yaml: `app: { http: { proxy: "http://$\{ONE}:$\{TWO}" } }` }))
    assert.match(both ?? '', /variable ONE is not set .*; the environment variable TWO is not set/)
  })

  test('the longest learned interval is at least the shortest', () => {
    const problems = problemsOf(() =>
      load({ yaml: 'app: { source: { adaptive: { min-minutes: 60, max-minutes: 30 } } }' }),
    )
    const expected = 'expected at least source.adaptive.min-minutes (60), got 30'
    assert.deepEqual(problems, [`app.source.adaptive.max-minutes: ${expected}`])
  })

  test('the message about an invalid secret does not contain it', () => {
    const [problem] = problemsOf(() => load({ env: { APP_ENCRYPTION_MASTER_KEY: 'hunter2hunter2' } }))
    assert.equal(
      problem,
      'app.encryption.master-key: expected base64 of 32 bytes, got something else (environment variable APP_ENCRYPTION_MASTER_KEY)',
    )
  })

  test('a mail password that would be read as a part of another address is refused, and not repeated', () => {
    const expected = 'a URL such as smtp://user:password@host:587, special characters percent-encoded'
    for (const url of [
      ...['smtp://', 'smtp:///', 'mail.example.org', 'https://mail.example.org', 'smtp://mail.example.org:99999'],
      ...['/', '#', '?'].flatMap((sign) => [`smtp://ann:hun${sign}ter2@mail`, `smtp://ann:12${sign}34@mail`]),
    ]) {
      const [problem] = problemsOf(() => load({ env: { APP_MAIL_URL: url } }))
      const given = 'got something else (environment variable APP_MAIL_URL)'
      assert.equal(problem, `app.mail.url: expected ${expected}, ${given}`, url)
    }
    for (const url of [
      ...['smtp://mail', 'smtps://[::1]:465/', 'smtp://ann@example.org:p@ss@mail', 'smtp://ann:hun%23ter2@mail'],
      ...['smtp://ann@mail?tls.ca=-----BEGIN%20CERTIFICATE', 'smtp://mail/?tls.rejectUnauthorized=false'],
    ])
      assert.equal(load({ env: { APP_MAIL_URL: url } }).config.mail.url, url)
  })

  test('the smallest and the largest allowed values are accepted', () => {
    const key = randomBytes(32).toString('base64')
    const yaml = `app: { server: { port: 0, host: "::1" }, encryption: { master-key: "${key}" }, source: { max-failures: 1000, breaker: { failures: 0 } } }`
    const { config } = load({ yaml })
    assert.deepEqual([config.server.port, config.server.host, config.encryption.masterKey], [0, '::1', key])
    for (const url of [
      'file:a.db',
      'file:/a/b.db',
      'file:///a/b.db',
      'file::memory:',
      'postgresql://u:p@h:1/d?ssl=1',
    ]) {
      assert.equal(load({ flags: { database: url } }).config.database.url, url)
    }
  })
})
