import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { ConfigError, type ConfigFlags, configFrom, loadConfig } from './config.ts'
import type { PartialConfig } from './ports/config.ts'

interface World {
  readonly yaml?: string
  readonly files?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  readonly flags?: ConfigFlags
}

function load({ yaml, files = {}, env = {}, flags = {} }: World) {
  const present: Record<string, string> = yaml === undefined ? { ...files } : { ...files, 'tidings.yaml': yaml }
  return loadConfig({ flags, env, cwd: '/here', readFile: (path) => present[path.replace('/here/', '')] })
}

function problemsOf(run: () => unknown): readonly string[] {
  try {
    run()
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error))
    return error.problems
  }
  assert.fail('no problem was found')
}

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
  },
  http: {
    userAgent: null,
    connectTimeoutSeconds: 10,
    headersTimeoutSeconds: 30,
    timeoutSeconds: 60,
    maxBodyBytes: 10_485_760,
    maxRedirects: 5,
    allowPrivateNetworks: [],
    proxy: null,
  },
  x: { baseUrl: 'https://api.x.com' },
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

  test('the file beats the default, the environment the file, a flag the environment', () => {
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

  test('tidings.yaml is taken before application.yaml, and --config before both', () => {
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

  test('host names of overrides are written as hosts are compared: lower case, punycode, no trailing dot', () => {
    const { config, origins } = load({
      yaml: 'app: { source: { host-overrides: { Nitter.NET: { poll-delay-seconds: 0 }, bücher.example.: { poll-delay-seconds: 1 } } } }',
    })
    assert.deepEqual(config.source.hostOverrides, {
      'nitter.net': { pollDelaySeconds: 0 },
      'xn--bcher-kva.example': { pollDelaySeconds: 1 },
    })
    assert.equal(origins.get('app.source.host-overrides.nitter.net.poll-delay-seconds'), 'tidings.yaml')
  })

  test('the environment spells lists with commas, and nothing for an empty list or no value', () => {
    const one = load({ env: { APP_HTTP_ALLOW_PRIVATE_NETWORKS: '10.0.0.0/8, 127.0.0.1' } }).config
    assert.deepEqual(one.http.allowPrivateNetworks, ['10.0.0.0/8', '127.0.0.1/32'])
    const none = load({
      yaml: 'app: { http: { allow-private-networks: [10.0.0.0/8], proxy: "http://p:1" } }',
      env: { APP_HTTP_ALLOW_PRIVATE_NETWORKS: '', APP_HTTP_PROXY: '' },
    }).config
    assert.deepEqual([none.http.allowPrivateNetworks, none.http.proxy], [[], null])
  })

  test('environment variables of other programs are left alone', () => {
    assert.deepEqual(load({ env: { APP_NAME: 'shop', APP_SERVERS: '3', PORT: '1' } }).config, DEFAULTS)
  })

  test('--data names the folder of the database file', () => {
    const { config, origins } = load({ flags: { data: '/var/lib/tidings' } })
    assert.equal(config.database.url, 'file:/var/lib/tidings/tidings.db')
    assert.equal(origins.get('app.database.url'), '--data')
    assert.equal(load({ flags: { database: 'postgres://db/t' } }).config.database.url, 'postgres://db/t')
  })

  test('the result is frozen to the bottom', () => {
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

  test('a placeholder takes the environment, else its default, and numbers are read as numbers', () => {
    const { config } = load({ yaml, env: { NAME: 'news' } })
    assert.equal(config.server.port, 9000)
    assert.equal(config.server.publicUrl, 'https://news.example:1/')
    assert.deepEqual(config.http.allowPrivateNetworks, ['10.0.0.0/8'])
    assert.equal(config.http.proxy, null)
    assert.equal(config.http.userAgent, '$' + '{literal}')
    assert.equal(load({ yaml, env: { NAME: 'news', PORT: '7' } }).config.server.port, 7)
  })

  test('a placeholder without value and default is named', () => {
    assert.deepEqual(
      problemsOf(() => load({ yaml })),
      [
        'app.server.public-url: the environment variable NAME is not set and $' +
          '{NAME} has no default (tidings.yaml:4)',
      ],
    )
  })

  test('a placeholder that does not end or has no name is told', () => {
    for (const broken of ['$' + '{NAME', '$' + '{}', '$' + '{a b}']) {
      const [problem] = problemsOf(() => load({ yaml: `app: { x: { base-url: "${broken}" } }` }))
      assert.match(problem ?? '', /^app\.x\.base-url: expected \$\{NAME\} or \$\{NAME:default\}, got "/)
    }
  })
})

describe('values that are refused', () => {
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
      '{ a.example: {} }',
      '.a.example: expected { poll-delay-seconds: N }, got no poll-delay-seconds',
    ],
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
    test(`${key}: ${value} is refused with what was expected and given`, () => {
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

  test('a placeholder that cannot be filled hides no other problem of its list or its value', () => {
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

  test('a secret is not repeated in the message that refuses it', () => {
    const [problem] = problemsOf(() => load({ env: { APP_ENCRYPTION_MASTER_KEY: 'hunter2hunter2' } }))
    assert.equal(
      problem,
      'app.encryption.master-key: expected base64 of 32 bytes, got something else (environment variable APP_ENCRYPTION_MASTER_KEY)',
    )
  })

  test('values that are in range pass: both ends of each', () => {
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

describe('keys that are refused', () => {
  test('an unknown key is named with the one that was meant', () => {
    assert.deepEqual(
      problemsOf(() =>
        load({
          yaml: 'sauce: 1\nsource: {}\napp:\n  sorce: {}\n  source:\n    maxFailures: 3\n    port: 1\n    wibble: 2\n    poll-delay-seconds: { rrs: 1 }\n',
        }),
      ),
      [
        'sauce: unknown key (tidings.yaml:1)',
        'source: unknown key, did you mean app.source? (tidings.yaml:2)',
        'app.sorce: unknown key, did you mean source? (tidings.yaml:4)',
        'app.source.maxFailures: unknown key, did you mean max-failures? (tidings.yaml:6)',
        'app.source.port: unknown key, did you mean app.server.port? (tidings.yaml:7)',
        'app.source.wibble: unknown key (tidings.yaml:8)',
        'app.source.poll-delay-seconds.rrs: unknown key, did you mean rss? (tidings.yaml:9)',
      ],
    )
  })

  test('an unknown environment variable in one of our sections is named, host overrides belong into files', () => {
    assert.deepEqual(
      problemsOf(() =>
        load({ env: { APP_SOURCE_MAX_FAILURE: '3', APP_HTTP_WIBBLE: '1', APP_SOURCE_HOST_OVERRIDES_X: '1' } }),
      ),
      [
        'APP_SOURCE_MAX_FAILURE: unknown environment variable, did you mean APP_SOURCE_MAX_FAILURES?',
        'APP_HTTP_WIBBLE: unknown environment variable',
        'APP_SOURCE_HOST_OVERRIDES_X: app.source.host-overrides can only be set in a file',
      ],
    )
  })

  test('every problem of file, environment and flags is told at once', () => {
    const world = {
      yaml: 'app: { source: { max-failures: many }, wibble: 1 }',
      env: { APP_LOG_LEVEL: 'loud' },
      flags: { port: 'x', data: 'd', database: 'postgres://h/d' },
    }
    const problems = problemsOf(() => load(world))
    assert.deepEqual(problems, [
      'app.wibble: unknown key (tidings.yaml:1)',
      '--data and --database both say where the store is: give one of them',
      'app.server.port: expected a whole number of at least 0, got "x" (--port)',
      'app.source.max-failures: expected a whole number of at least 1, got "many" (tidings.yaml:1)',
      'app.log.level: expected one of trace, debug, info, warn, error, silent, got "loud" (environment variable APP_LOG_LEVEL)',
    ])
    assert.throws(
      () => load(world),
      (error: Error) => error.message === `The configuration has 5 problems:\n  ${problems.join('\n  ')}`,
    )
  })
})

describe('files that are refused', () => {
  test('a file that was named must be there', () => {
    assert.deepEqual(
      problemsOf(() => load({ flags: { config: 'nowhere.yaml' } })),
      ['--config: there is no file nowhere.yaml'],
    )
  })

  test('a file that cannot be read, is not YAML or not a mapping is told', () => {
    const unreadable = () =>
      loadConfig({
        env: {},
        cwd: '/here',
        readFile: () => {
          throw new Error('EACCES: permission denied')
        },
      })
    assert.deepEqual(problemsOf(unreadable), ['tidings.yaml: cannot be read: EACCES: permission denied'])
    assert.deepEqual(
      problemsOf(() => load({ yaml: 'app:\n  source: {}\n  source: {}\n' })),
      ['tidings.yaml:3: not valid YAML: Map keys must be unique'],
    )
    assert.deepEqual(
      problemsOf(() => load({ yaml: '- app' })),
      ['tidings.yaml: expected a mapping that begins with "app:"'],
    )
    assert.deepEqual(
      problemsOf(() => load({ yaml: 'app: 5' })),
      ['app: expected a mapping, got 5 (tidings.yaml:1)'],
    )
  })
})

describe("the library's way in", () => {
  test('an alias without its anchor, and a heap of aliases, are problems of the file like others', () => {
    const heap = ['a', 'b', 'c', 'd'].map((key, index) => `${key}: &${key} [${`*${'_abc'[index]},`.repeat(9)}]`)
    const bomb = [`_: &_ [x]`, ...heap].join('\n')
    for (const [yaml, problem] of [
      ['app: *nowhere\n', /^tidings\.yaml: not valid YAML: Unresolved alias .*: nowhere$/],
      [bomb, /^tidings\.yaml: not valid YAML: Excessive alias count/],
    ] as const) {
      const [first, ...others] = problemsOf(() => load({ yaml, env: { APP_LOG_LEVEL: 'loud' } }))
      assert.match(first ?? '', problem)
      assert.match(others.join(), /^app\.log\.level: expected one of/)
    }
  })

  test('any part may be given in camelCase, the rest is default', () => {
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

  test('it makes the same checks and spells keys its own way', () => {
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

  test('it reads no environment and fills no placeholder', () => {
    const agent = '$' + '{HOME}'
    assert.equal(configFrom({ http: { userAgent: agent } }).http.userAgent, agent)
  })
})
