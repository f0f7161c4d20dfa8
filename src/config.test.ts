import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { load, problemsOf } from '../test/support/config-inputs.ts'
import { configFrom } from './config.ts'
import type { PartialConfig } from './ports/config.ts'

const DEFAULTS = {
  server: { host: '127.0.0.1', port: 8085, publicUrl: null, auth: 'auto' },
  database: { url: 'file:./data/tidings.db' },
  encryption: { masterKey: null },
  source: {
    tickSeconds: 60,
    pollIntervalMinutes: 30,
    maxArticleAgeDays: 7,
    maxFailures: 5,
    maxBackoffHours: 24,
    lateArrivalHours: 0,
    pollDelaySeconds: { rss: 0, website: 2, twitter: 0, youtube: 0 },
    hostOverrides: { 'nitter.net': { pollDelaySeconds: 3 } },
    maxConcurrentHosts: 64,
    aggregateMode: 'thread',
    breaker: { failures: 3, sources: 2, waitHours: 24 },
    pollHistoryDays: 30,
    recheckDisabledDays: 0,
    adaptive: { minMinutes: 15, maxMinutes: 1440 },
  },
  http: {
    userAgent: null,
    connectTimeoutSeconds: 10,
    headersTimeoutSeconds: 30,
    timeoutSeconds: 60,
    maxBodyBytes: 10_485_760,
    maxRedirects: 5,
    allowPrivateNetworks: [],
    allowPorts: [],
    proxy: null,
  },
  content: { fullText: 'never', maxPagesPerPoll: 20 },
  mcp: { enabled: true, write: false },
  mail: { url: null, from: null },
  x: { baseUrl: 'https://api.x.com', maxPostsPerMonth: 0 },
  limits: {
    sources: 10_000,
    podcasts: 100,
    tokens: 100,
    cursors: 100,
    webhooks: 100,
    eventStreams: 20,
    importRows: 50_000,
    storedMegabytes: 10_240,
    requestsPerMinute: 6000,
    hostRequestsPerMinute: 60,
    connections: 1000,
  },
  log: { level: 'info', format: 'auto' },
}

describe('where values come from', () => {
  test('without a file and an environment every key has its default', () => {
    const { config, origins } = load({})
    assert.deepEqual(config, DEFAULTS)
    assert.ok([...origins.values()].every((origin) => origin === 'default'))
  })

  test('an empty file and empty sections change nothing', () => {
    assert.deepEqual(load({ yaml: '' }).config, DEFAULTS)
    assert.deepEqual(load({ yaml: 'app:\n  source:\n    breaker:\n  http: {}\n' }).config, DEFAULTS)
  })

  test('the file overrides the default, the environment the file, and a flag the environment', () => {
    const { config, origins } = load({
      yaml: 'app: { server: { port: 1, host: 10.0.0.1 }, log: { level: warn } }',
      env: { APP_SERVER_PORT: '2', APP_SERVER_HOST: '10.0.0.2' },
      flags: { port: '3' },
    })
    assert.deepEqual([config.server.port, config.server.host, config.log.level], [3, '10.0.0.2', 'warn'])
    assert.equal(origins.get('app.server.port'), '--port')
    assert.equal(origins.get('app.server.host'), 'env APP_SERVER_HOST')
    assert.equal(origins.get('app.log.level'), 'tidings.yaml')
    assert.equal(origins.get('app.log.format'), 'default')
  })

  test('tidings.yaml is preferred to application.yaml, and --config to both', () => {
    const files = {
      'tidings.yaml': 'app: { server: { port: 1 } }',
      'application.yaml': 'app: { server: { port: 2 } }',
      'conf/other.yaml': 'app: { server: { port: 3 } }',
    }
    const { 'tidings.yaml': _, ...others } = files
    assert.equal(load({ files }).config.server.port, 1)
    assert.equal(load({ files: others }).config.server.port, 2)
    const named = load({ files, flags: { config: 'conf/other.yaml' } })
    assert.equal(named.config.server.port, 3)
    assert.equal(named.origins.get('app.server.port'), 'conf/other.yaml')
  })

  test('maps merge key by key over the defaults', () => {
    const { config } = load({
      yaml: 'app: { source: { poll-delay-seconds: { rss: 1.5 }, host-overrides: { a.example: { poll-delay-seconds: 9 } }, breaker: { failures: 0 } } }',
      env: { APP_SOURCE_POLL_DELAY_SECONDS_TWITTER: '4' },
    })
    assert.deepEqual(config.source.pollDelaySeconds, { rss: 1.5, website: 2, twitter: 4, youtube: 0 })
    assert.deepEqual(config.source.breaker, { failures: 0, sources: 2, waitHours: 24 })
    assert.deepEqual(config.source.hostOverrides, {
      'nitter.net': { pollDelaySeconds: 3 },
      'a.example': { pollDelaySeconds: 9 },
    })
  })

  test('a host override without a setting is valid and says nothing', () => {
    const yaml = 'app: { source: { host-overrides: { nitter.net: {}, a.example: {} } } }'
    assert.deepEqual(load({ yaml }).config.source.hostOverrides, { 'nitter.net': { pollDelaySeconds: 3 } })
  })

  test('host names of overrides are normalised: lower case, punycode, no trailing dot', () => {
    const { config, origins } = load({
      yaml: 'app: { source: { host-overrides: { Nitter.NET: { poll-delay-seconds: 0 }, bücher.example.: { poll-delay-seconds: 1 } } } }',
    })
    assert.deepEqual(config.source.hostOverrides, {
      'nitter.net': { pollDelaySeconds: 0 },
      'xn--bcher-kva.example': { pollDelaySeconds: 1 },
    })
    assert.equal(origins.get('app.source.host-overrides.nitter.net.poll-delay-seconds'), 'tidings.yaml')
  })

  test('in the environment a list has commas, and an empty variable means an empty list or null', () => {
    const one = load({ env: { APP_HTTP_ALLOW_PRIVATE_NETWORKS: '10.0.0.0/8, 127.0.0.1' } }).config
    assert.deepEqual(one.http.allowPrivateNetworks, ['10.0.0.0/8', '127.0.0.1/32'])
    const none = load({
      yaml: 'app: { http: { allow-private-networks: [10.0.0.0/8], proxy: "http://p:1" } }',
      env: { APP_HTTP_ALLOW_PRIVATE_NETWORKS: '', APP_HTTP_PROXY: '' },
    }).config
    assert.deepEqual([none.http.allowPrivateNetworks, none.http.proxy], [[], null])
  })

  test('environment variables of other programs are ignored', () => {
    assert.deepEqual(load({ env: { APP_NAME: 'shop', APP_SERVERS: '3', PORT: '1' } }).config, DEFAULTS)
  })

  test('--data names the folder of the database file', () => {
    const { config, origins } = load({ flags: { data: '/var/lib/tidings' } })
    assert.equal(config.database.url, 'file:/var/lib/tidings/tidings.db')
    assert.equal(origins.get('app.database.url'), '--data')
    assert.equal(load({ flags: { database: 'postgres://db/t' } }).config.database.url, 'postgres://db/t')
  })

  test('the result is frozen at every level', () => {
    const { config } = load({ yaml: 'app: { http: { allow-private-networks: [10.0.0.0/8] } }' })
    assert.throws(() => Object.assign(config.source.breaker, { failures: 1 }), TypeError)
    assert.throws(() => (config.http.allowPrivateNetworks as string[]).push('x'), TypeError)
  })
})

describe('placeholders', () => {
  const yaml = [
    'app:',
    '  server:',
    '    port: $' + '{PORT:9000}',
    '    public-url: "https://$' + '{NAME}.example:$' + '{PORT:1}/"',
    '  http:',
    '    allow-private-networks: ["$' + '{NET:10.0.0.0/8}"]',
    '    user-agent: $$' + '{literal}',
    '    proxy: $' + '{PROXY:}',
  ].join('\n')

  test('a placeholder is filled from the environment or its default, and numbers become numbers', () => {
    const { config } = load({ yaml, env: { NAME: 'news' } })
    assert.equal(config.server.port, 9000)
    assert.equal(config.server.publicUrl, 'https://news.example:1/')
    assert.deepEqual(config.http.allowPrivateNetworks, ['10.0.0.0/8'])
    assert.equal(config.http.proxy, null)
    assert.equal(config.http.userAgent, '$' + '{literal}')
    assert.equal(load({ yaml, env: { NAME: 'news', PORT: '7' } }).config.server.port, 7)
  })

  test('a placeholder without value and default is a problem', () => {
    assert.deepEqual(
      problemsOf(() => load({ yaml })),
      [
        'app.server.public-url: the environment variable NAME is not set and $' +
          '{NAME} has no default (tidings.yaml:4)',
      ],
    )
  })

  test('a placeholder without an end or a name is a problem', () => {
    for (const broken of ['$' + '{NAME', '$' + '{}', '$' + '{a b}']) {
      const [problem] = problemsOf(() => load({ yaml: `app: { x: { base-url: "${broken}" } }` }))
      assert.match(problem ?? '', /^app\.x\.base-url: expected \$\{NAME\} or \$\{NAME:default\}, got "/)
    }
  })
})

describe('configFrom, for the library', () => {
  test('any part can be given in camelCase, and the rest has its default', () => {
    const config = configFrom({
      source: { maxFailures: 2, pollDelaySeconds: { rss: 1 }, hostOverrides: { 'A.example': { pollDelaySeconds: 2 } } },
      http: { allowPrivateNetworks: ['127.0.0.0/8'] },
    })
    assert.deepEqual(config, {
      ...DEFAULTS,
      source: {
        ...DEFAULTS.source,
        maxFailures: 2,
        pollDelaySeconds: { ...DEFAULTS.source.pollDelaySeconds, rss: 1 },
        hostOverrides: { 'nitter.net': { pollDelaySeconds: 3 }, 'a.example': { pollDelaySeconds: 2 } },
      },
      http: { ...DEFAULTS.http, allowPrivateNetworks: ['127.0.0.0/8'] },
    })
    assert.deepEqual(configFrom(), DEFAULTS)
    assert.deepEqual(configFrom(configFrom()), DEFAULTS)
  })

  test('it makes the same checks and names keys in camelCase', () => {
    const wrong = {
      sauce: {},
      source: { maxFailures: '5', 'max-failures': 1, breaker: { waitHours: 0 }, pollIntervalMinutes: undefined },
      server: null,
    } as unknown as PartialConfig
    assert.deepEqual(
      problemsOf(() => configFrom(wrong)),
      [
        'sauce: unknown key',
        'source.max-failures: unknown key, did you mean maxFailures?',
        'source.maxFailures: expected a whole number of at least 1, got "5"',
        'source.breaker.waitHours: expected a number of at least 1, got 0',
      ],
    )
    assert.deepEqual(
      problemsOf(() => configFrom(3 as unknown as PartialConfig)),
      ['the configuration: expected a mapping, got 3'],
    )
  })

  test('it does not read the environment or fill placeholders', () => {
    const agent = '$' + '{HOME}'
    assert.equal(configFrom({ http: { userAgent: agent } }).http.userAgent, agent)
  })
})
