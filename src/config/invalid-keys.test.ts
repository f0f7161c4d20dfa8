import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { load, problemsOf } from '../../test/support/config-inputs.ts'
import { loadConfig } from '../config.ts'

describe('invalid keys', () => {
  test('an unknown key is reported with a suggestion', () => {
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

  test('an unknown environment variable in one of our sections is reported; host overrides are allowed in files only', () => {
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

  test('all problems of file, environment and flags are reported together', () => {
    const world = {
      yaml: 'app: { source: { max-failures: many }, wibble: 1 }',
      env: { APP_LOG_LEVEL: 'loud' },
      flags: { port: 'x', data: 'd', database: 'postgres://h/d' },
    }
    const problems = problemsOf(() => load(world))
    assert.deepEqual(problems, [
      'app.wibble: unknown key (tidings.yaml:1)',
      '--data and --database both name the database: give only one of them',
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

describe('invalid files', () => {
  test('a file named by --config must exist', () => {
    assert.deepEqual(
      problemsOf(() => load({ flags: { config: 'nowhere.yaml' } })),
      ['--config: there is no file nowhere.yaml'],
    )
  })

  test('a file that cannot be read, is not YAML or is not a mapping is a problem', () => {
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

  test('a YAML alias without an anchor, and too many aliases, are problems', () => {
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
})
