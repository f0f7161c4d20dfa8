import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createLog, escapeForTerminal, redactText } from './log.ts'

function capture(format: 'json' | 'pretty' | 'auto', isTTY = false) {
  const lines: string[] = []
  const target = { isTTY, write: (text: string) => lines.push(text) }
  return { log: createLog({ level: 'trace', format, target, colour: false }), lines }
}

const SECRET = 'hunter2secret'

describe('redaction', () => {
  const CARRIERS: readonly (readonly [string, unknown])[] = [
    ['userinfo of a URL', `https://user:${SECRET}@example.org/feed`],
    ['userinfo that is only a token', `https://${SECRET}@example.org/feed`],
    ['userinfo of a database URL', `postgres://u:${SECRET}@db:5432/t`],
    ['a password in a database URL with signs of its own', `postgres://u:p@/${SECRET}@db:5432/t`],
    ['a query parameter', `https://example.org/feed?a=1&api_key=${SECRET}&b=2`],
    ['a parameter named key', `https://example.org/feed?key=${SECRET}`],
    ['a parameter in camelCase', `https://example.org/feed?accessToken=${SECRET}`],
    ['a header line', `authorization: Bearer ${SECRET}`],
    ['a header line behind what looks like help', `Authorization: Bearer <token>${SECRET}`],
    ['a basic header', `Authorization: Basic dXNlcjpodW50ZXIyc2VjcmV0`],
    ['a bearer in a sentence', `sent Bearer ${SECRET} to it`],
    ['a field', { token: SECRET }],
    ['a field deep inside', { a: [{ b: { apiKey: SECRET } }] }],
    ['headers', { headers: { Authorization: `Basic ${SECRET}`, 'x-api-key': SECRET, cookie: `sid=${SECRET}` } }],
    ['JSON text deep inside', { a: `{"password": "${SECRET}"}` }],
    ['JSON as text', `{"apiKey":"${SECRET}"}`],
    ['a setting as text', `password=${SECRET}`],
    ['a URL object', new URL(`https://u:${SECRET}@example.org/`)],
  ]

  for (const format of ['json', 'pretty'] as const) {
    for (const [name, value] of CARRIERS) {
      test(`${format}: a secret in ${name} is masked in a field, in the message, in an error and in its stack`, () => {
        const { log, lines } = capture(format)
        const text = typeof value === 'string' ? value : JSON.stringify(value)
        const error = new Error(`could not use ${text}`, { cause: new Error(text) })
        log.info({ it: value, nested: { list: [value] } }, 'asked')
        log.info({}, `asked ${text}`)
        log.error({ err: error }, 'failed')
        log.error({ reason: error }, 'failed')
        log.error(error)
        log.child({ bound: value }).warn({}, 'bound')
        assert.equal(lines.length, 6)
        for (const line of lines) {
          assert.ok(!line.includes(SECRET) && !line.includes('dXNlcjp'), line)
          assert.ok(line.includes('***'), line)
        }
      })
    }
  }

  test('the whole value of a field with a secret name is masked', () => {
    const { log, lines } = capture('json')
    log.info({ credentials: { user: 'me', pw: [SECRET] } }, 'asked')
    assert.equal(JSON.parse(lines[0] ?? '').credentials, '***')
  })

  test('text that is not secret stays readable', () => {
    for (const text of [
      'https://medium.com/@alice/post?author=bob&page=2#key',
      'https://example.org/hockey?monkey=1&design=2',
      'basic information about tokens: 5 used',
      'invalid token: expected a number',
      'mail me@example.org',
      'Send a token in the header "Authorization: Bearer <token>".',
    ]) {
      assert.equal(redactText(text), text)
    }
    const { log, lines } = capture('json')
    log.info({ hasCredentials: true, token: null, tokens: 3, url: 'https://example.org/' }, 'fine')
    const { time, ...record } = JSON.parse(lines[0] ?? '')
    assert.match(time, /^\d{4}-\d\d-\d\dT.*Z$/)
    assert.deepEqual(record, {
      level: 'info',
      hasCredentials: true,
      token: null,
      tokens: 3,
      url: 'https://example.org/',
      msg: 'fine',
    })
  })
})

describe('text from outside', () => {
  const EVIL = 'a\u001b[31mred\u009b2J\rb\nFORGED\u202egnp.exe\u2066x\u007f\u0000\ud800z'

  test('pretty: control, ANSI and bidi characters are shown as escapes, in message, field and field name', () => {
    const { log, lines } = capture('pretty')
    log.info({ title: `${EVIL}!`, [EVIL]: 1 }, EVIL)
    const escaped = 'a\\x1b[31mred\\x9b2J\\rb\\nFORGED\\u202egnp.exe\\u2066x\\x7f\\x00'
    const [line = ''] = lines
    assert.equal(line.split(escaped).length - 1, 3)
    assert.ok(!/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2066]/.test(line), JSON.stringify(line))
    assert.equal(line.indexOf('\n'), line.length - 1)
  })

  test('json: one line, safe for a terminal, with the data unchanged', () => {
    const { log, lines } = capture('json')
    log.info({ title: EVIL }, EVIL)
    const [line = ''] = lines
    assert.ok(!/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2066]/.test(line), JSON.stringify(line))
    assert.equal(JSON.parse(line).title, EVIL)
    assert.equal(line.indexOf('\n'), line.length - 1)
  })

  test('escapeForTerminal leaves every other character alone', () => {
    const text = 'Grüße, 日本語, عربي, 👩‍👩‍👧, می‌خواهم'
    assert.equal(escapeForTerminal(text), text)
    assert.equal(escapeForTerminal('tag\u{e0041}\ufeff\u2028'), 'tag\\u{e0041}\\ufeff\\u2028')
  })
})

describe('format', () => {
  test('auto is pretty on a terminal and JSON elsewhere', () => {
    const terminal = capture('auto', true)
    terminal.log.warn({ host: 'a.example', n: 3 }, 'slow')
    assert.match(terminal.lines[0] ?? '', /^\d\d:\d\d:\d\d WARN {2}slow host=a\.example n=3\n$/)
    const pipe = capture('auto', false)
    pipe.log.warn({ host: 'a.example' }, 'slow')
    assert.equal(JSON.parse(pipe.lines[0] ?? '').host, 'a.example')
  })

  test('pretty: fields that are empty or already in the message are left out', () => {
    const { log, lines } = capture('pretty')
    log.info({ url: 'https://a.example/', status: null, created: 0 }, 'polled https://a.example/')
    assert.match(lines[0] ?? '', /INFO {2}polled https:\/\/a\.example\/ created=0\n$/)
  })

  test('pretty: an error is followed by its stack, indented', () => {
    const { log, lines } = capture('pretty')
    log.error({ err: new Error('no room') }, 'failed')
    assert.match(lines[0] ?? '', /ERROR failed\n {4}Error: no room\n {8}at /)
  })

  test('lines below the level are not written', () => {
    const lines: string[] = []
    const log = createLog({ level: 'warn', format: 'json', target: { write: (text) => lines.push(text) } })
    log.info({}, 'quiet')
    log.warn({}, 'loud')
    assert.equal(lines.length, 1)
    createLog({ level: 'silent', target: { write: (text) => lines.push(text) } }).error({}, 'nothing')
    assert.equal(lines.length, 1)
  })
})
