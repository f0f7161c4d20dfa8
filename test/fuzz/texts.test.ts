// Text from outside, of any kind: every reader of it ends in time with a value or with an error of its own, never with
// another one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseDocument } from 'htmlparser2'
import { ConfigError, configFrom, loadConfig } from '../../src/config.ts'
import { freshUntil } from '../../src/domain/freshness.ts'
import { parseHttpDate } from '../../src/domain/http-date.ts'
import { quotaWord } from '../../src/domain/quota.ts'
import { parseSearch } from '../../src/domain/search-query.ts'
import { retryHint } from '../../src/domain/throttle.ts'
import { readRobots } from '../../src/sources/behind-entry/read-robots.ts'
import { readTranscript } from '../../src/sources/behind-entry/read-transcript.ts'
import { readDate } from '../../src/sources/feed/dates/read-date.ts'
import { cleanHtml } from '../../src/sources/html/clean-html.ts'
import { htmlToMarkdown } from '../../src/sources/html/html-to-markdown.ts'
import { readList } from '../../src/sources/list/read-list.ts'
import { decodeText } from '../../src/sources/text/charset.ts'
import { TEST_START } from '../support/manual-clock.ts'
import { XSS_CASES } from '../support/xss-cases.ts'

const any = fc.string({ unit: 'binary', maxLength: 200 })
const pieces = (parts: readonly string[], most = 40): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof(fc.constantFrom(...parts), fc.string({ unit: 'binary', maxLength: 6 })), { maxLength: most })
    .map((all) => all.join(''))

test('any date is an instant or none', () => {
  const parts = [
    'Mon, ',
    '17 ',
    'Feb ',
    '2026',
    '-02-17',
    'T',
    '10:00',
    ':00',
    ' GMT',
    '+0100',
    'Z',
    ' PM',
    '年',
    '月',
    'février ',
    ' ',
  ]
  fc.assert(
    fc.property(fc.oneof(any, pieces(parts, 12)), (text) => {
      const read = readDate(text)
      assert.ok(read === null || Number.isFinite(new Date(read).getTime()), text)
    }),
    { numRuns: 3000 },
  )
})

test('any bytes of any charset become text', () => {
  const charset = fc.oneof(
    fc.constantFrom('utf-8', 'utf-16', 'shift_jis', 'gb18030', 'iso-2022-jp', 'utf-7', 'x-none', 'ebcdic'),
    any,
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), charset, (bytes, name) => {
      const { text } = decodeText(bytes, { kind: 'xml', contentType: `text/xml; charset=${name}` })
      assert.equal(typeof text, 'string')
    }),
    { numRuns: 1500 },
  )
})

test('any list of sources is read, or refused in words', () => {
  const parts = [
    '<opml>',
    '<body>',
    '<outline xmlUrl="https://a.example/"',
    ' text="x"',
    '/>',
    '</outline>',
    '[',
    '{"url":',
    '"https://b.example"',
    '}',
    ',',
    ']',
    '\n',
    'https://c.example',
  ]
  fc.assert(
    fc.property(
      pieces(parts),
      fc.constantFrom(undefined, 'text/xml', 'application/json', 'text/plain'),
      (text, contentType) => {
        const { kind } = readList({ bytes: Buffer.from(text), contentType }, 1000)
        assert.ok(['rows', 'too-many-rows', 'unreadable'].includes(kind))
      },
    ),
    { numRuns: 1500 },
  )
})

test('any header about time and quotas is an instant that can be, or nothing', () => {
  const parts = [
    'max-age=',
    '60',
    '-1',
    '1e308',
    ', ',
    'no-cache',
    'r=0',
    ';t=',
    '99999999999999999999',
    'Tue, 17 Feb 2026 10:00:00 GMT',
    '"',
    'Infinity',
    'NaN',
    '0x10',
  ]
  const value = fc.oneof(pieces(parts, 8), any)
  const names = [
    'retry-after',
    'cache-control',
    'age',
    'expires',
    'date',
    'ratelimit',
    'ratelimit-remaining',
    'ratelimit-reset',
    'x-ratelimit-remaining',
    'x-ratelimit-reset',
    'x-rate-limit-reset',
  ]
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), value), fc.constantFrom(200, 429, 503), (headers, status) => {
      const now = TEST_START
      const quota = quotaWord(headers, now)
      const instants = [
        retryHint({ now, status, headers }),
        freshUntil({ now, headers, feed: null, plannedAt: now })?.until ?? null,
        quota?.kind === 'leave-alone' ? quota.until : null,
        quota?.kind === 'slow-down' ? now + quota.delayMs : null,
        parseHttpDate(headers.expires ?? '', now),
      ]
      for (const instant of instants) assert.ok(instant === null || Number.isFinite(instant), JSON.stringify(headers))
    }),
    { numRuns: 3000 },
  )
})

test('any search is understood, or understood as nothing', () => {
  fc.assert(
    fc.property(
      fc.oneof(any, pieces(['"', '-', 'title:', 'word', ' ', '*', '(', 'OR', 'NEAR'])),
      (text) => void parseSearch(text),
    ),
    { numRuns: 1500 },
  )
})

test('any robots.txt and any transcript is read', () => {
  const parts = [
    'User-agent: ',
    '*',
    'Tidings',
    '\n',
    'Disallow: ',
    '/',
    '$',
    'Crawl-delay: ',
    '1e9',
    'Allow: ',
    '#',
    '%',
  ]
  fc.assert(
    fc.property(pieces(parts), (text) => {
      assert.equal(typeof readRobots(text, 'https://a.example/p', 'Tidings').allowed, 'boolean')
    }),
  )
  const lines = [
    'WEBVTT',
    '\n\n',
    '00:00.000 --> 00:01.000',
    '1\n',
    '<v Ann>',
    '{"segments":[',
    '{"body":"x"}',
    ']}',
    '<p>',
  ]
  fc.assert(
    fc.property(
      pieces(lines),
      fc.constantFrom(undefined, 'text/vtt', 'application/srt', 'application/json', 'text/html'),
      (text, type) => {
        readOrRefuse(() => readTranscript(Buffer.from(text), type))
      },
    ),
  )
})

test('a configuration of any shape is taken, or refused with every problem named', () => {
  const tree = fc.dictionary(
    fc.constantFrom('server', 'source', 'http', 'database', 'log', 'limits', 'x', '__proto__', 'constructor'),
    fc.anything({ maxDepth: 3 }),
  )
  fc.assert(fc.property(tree, (given) => refusedAs(ConfigError, () => configFrom(given as object))))
  const yaml = pieces([
    'app:',
    '\n  ',
    'source: ',
    '{',
    '}',
    'max-failures: ',
    '5',
    '"',
    '&a',
    '*a',
    '- ',
    '!!js',
    '${',
    'HOME',
    '}',
    'tick-seconds: many',
  ])
  fc.assert(
    fc.property(yaml, any, (file, value) =>
      refusedAs(ConfigError, () =>
        loadConfig({ env: { APP_SOURCE_MAX_FAILURES: value }, cwd: '/', readFile: () => file }),
      ),
    ),
  )
})

test('whatever hostile markup is put together, what is left runs nothing', () => {
  const parts = [
    ...XSS_CASES.map(([, html]) => html),
    '<',
    '>',
    '"',
    "'",
    '</',
    '<svg>',
    '<math>',
    '<style>',
    '<!--',
    '-->',
    '<template>',
    '&lt;',
    'owned()',
  ]
  fc.assert(
    fc.property(pieces(parts, 6), (text) => {
      const { html } = cleanHtml(text, 'https://a.example/')
      for (const bad of dangerousIn(html ?? '')) assert.fail(`${bad} is left of ${text}`)
      assert.equal(typeof htmlToMarkdown(html ?? ''), 'string')
    }),
    { numRuns: 1500 },
  )
})

function dangerousIn(html: string): string[] {
  const found: string[] = []
  const look = (nodes: readonly unknown[]): void => {
    for (const node of nodes as { name?: string; attribs?: Record<string, string>; children?: unknown[] }[]) {
      if (/^(script|style|iframe|object|embed|form|svg|math|base|meta|link|template)$/.test(node.name ?? ''))
        found.push(`<${node.name}>`)
      for (const [name, value] of Object.entries(node.attribs ?? {})) {
        if (/^on|^style$|^srcdoc$/i.test(name) || /^\s*(javascript|data|vbscript):/i.test(value))
          found.push(`${name}=${value}`)
      }
      look(node.children ?? [])
    }
  }
  look(parseDocument(html).children)
  return found
}

/** Readers refuse with an error that has a code of their own. */
function readOrRefuse(read: () => unknown): void {
  try {
    read()
  } catch (error) {
    assert.equal(typeof (error as { code?: unknown }).code, 'string', String(error))
  }
}

function refusedAs(kind: new (...args: never[]) => Error, read: () => unknown): void {
  try {
    read()
  } catch (error) {
    assert.ok(error instanceof kind, error instanceof Error ? error.stack : String(error))
  }
}
