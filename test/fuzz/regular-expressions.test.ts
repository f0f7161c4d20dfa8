// No regular expression takes more than linear time, whatever text it sees: each one in the source is attacked with long
// runs of the characters that it speaks of.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createContext, Script } from 'node:vm'

const SRC = fileURLToPath(new URL('../../src', import.meta.url))
const LITERAL =
  /(?<=[=(,:[!&|?{};>]\s*|\n\s*|return )\/(?![*/])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/([dgimsuvy]*)/g
const LENGTH = 20_000
/** A linear one needs about a millisecond for such a text; a quadratic one half a second or more. */
const MOST_CPU_MS = 150
const GIVE_UP_MS = 2000
/** A collection of garbage or a busy machine may make one measurement long, not all of them. */
const TRIES = 3

/** Not linear, but no long text from outside reaches it; and why. */
const SHORT_INPUT: Readonly<Record<string, string>> = {
  'config/kinds.ts': 'a number in the configuration of the operator',
  'domain/full-text.ts': 'the last 800 characters of a text',
  'domain/failure-reason.ts': 'a stored credential, which is as long as a URL at most',
  'api/resources/feeds.ts': 'app.server.public-url',
  'cli/connection/transport.ts': 'the address that a person gives a command',
  'sources/x/x-api.ts': 'app.x.base-url, and a stored key',
  'storage/posts/post-filters.ts': 'three characters',
  'sources/website/patterns.ts': 'lists of words of our own',
  'sources/website/boilerplate/phrases.ts': 'lists of words of our own',
  'sources/website/blocks/trailing-lines.ts': 'a text of fewer than 30 characters',
}

interface Found {
  readonly file: string
  readonly pattern: string
  readonly flags: string
}

const FOUND: readonly Found[] = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .flatMap((file) =>
    [...withoutComments(readFileSync(join(SRC, file), 'utf8')).matchAll(LITERAL)].flatMap(
      ([, pattern = '', flags = '']) => (isRegExp(pattern, flags) ? [{ file, pattern, flags }] : []),
    ),
  )

test(`all regular expressions are linear (${FOUND.length})`, () => {
  assert.ok(FOUND.length > 150, `${FOUND.length} found`)
  const context = createContext({})
  const slow = FOUND.flatMap(({ file, pattern, flags }) => {
    if (file in SHORT_INPUT) return []
    const text = slowestText(context, { pattern, flags })
    return text === null ? [] : [`${file}: /${pattern}/${flags} with ${text}`]
  })
  assert.deepEqual(slow, [])
})

test('each file whose expressions are let off exists', () => {
  for (const file of Object.keys(SHORT_INPUT))
    assert.ok(
      FOUND.some((found) => found.file === file),
      file,
    )
})

test('a regular expression that is not linear is noticed', () => {
  const context = createContext({})
  for (const pattern of ['(a+)+$', '\\s+$', '(x|x)*y']) {
    assert.notEqual(slowestText(context, { pattern, flags: '' }), null, pattern)
  }
})

interface Attack {
  readonly pattern: string
  readonly flags: string
}

/** The description of a text that takes too long; null: there is none. */
function slowestText(context: object, { pattern, flags }: Attack): string | null {
  const run = new Script('new RegExp(pattern, flags).test(text)')
  for (const piece of piecesOf(pattern)) {
    for (const end of ['', '!']) {
      const text = piece.repeat(Math.ceil(LENGTH / piece.length)) + end
      Object.assign(context, { pattern, flags: flags.replace('g', ''), text })
      let ms = cpuMs(run, context)
      for (let tries = 1; tries < TRIES && ms > MOST_CPU_MS; tries++) ms = Math.min(ms, cpuMs(run, context))
      if (ms > MOST_CPU_MS) return `${JSON.stringify(piece)}: ${Math.round(ms)} ms`
    }
  }
  return null
}

function cpuMs(run: Script, context: object): number {
  const before = process.threadCpuUsage()
  try {
    run.runInContext(context, { timeout: GIVE_UP_MS })
  } catch {
    return GIVE_UP_MS
  }
  return process.threadCpuUsage(before).user / 1000
}

/** Characters of each kind that it names, alone and in pairs of neighbours. */
function piecesOf(pattern: string): ReadonlySet<string> {
  const kinds: string[] = [' ', 'a', '0', '\n']
  const words = pattern.match(/[A-Za-z]{2,}/g) ?? []
  const literals = [...new Set(pattern.replace(/\\[a-zA-Z]/g, '').match(/[^\\^$*+?.()[\]{}|]/g) ?? [])].slice(0, 6)
  const pairs = literals.slice(0, 3).flatMap((one) => [`${one}a`, `${one} `, `a${one}`])
  return new Set([...kinds, ...literals, ...pairs, ...words.slice(0, 3), '<a ', '<a>', 'a@', '="'])
}

function isRegExp(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags) instanceof RegExp
  } catch {
    return false
  }
}

function withoutComments(code: string): string {
  return code.replace(/^\s*(\/\/|\*|\/\*).*$/gm, '')
}
