// What the docs say in passing: commands with their options, settings and requests exist under these names.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { HOST_OVERRIDES, KEYS } from '../../src/config/keys.ts'
import { openShell } from '../support/run-cli.ts'
import { ROOT, readPages, type Span, spansOf } from './pages.ts'
import { isRequest, unknownRequests } from './requests.ts'

/** The worked changes of CONTRIBUTING.md are not made, so what they add does not exist. */
const IMAGINED = ['tidings edit --max-posts', 'src/domain/mastodon-type.ts']

const spans = [...readPages()]
  .flatMap(([page, content]) => spansOf(page, content))
  .filter(({ text }) => !IMAGINED.includes(text))

/** Help text by command: `key rotate`. */
const helps = new Map<string, string>()

before(async () => {
  using shell = openShell()
  const read = async (words: readonly string[]): Promise<void> => {
    const { out } = await shell.tidings(...words, '--help')
    helps.set(words.join(' '), out)
    const [, list = ''] = out.split(/^Commands:$/m)
    const names =
      words.length === 0 ? [...out.matchAll(/^ {2}([a-z]+(?:-[a-z]+)*) /gm)] : [...list.matchAll(/^ {2}([a-z]+)/gm)]
    for (const [, name = ''] of names) if (name !== 'help' && name !== 'tidings') await read([...words, name])
  }
  await read([])
})

test('every command that the docs mention exists, with its options', () => {
  const mentioned = spans.filter(({ text }) => /^(?:npx )?tidings [a-z]/.test(text))
  assert.ok(mentioned.length > 60, String(mentioned.length))
  assert.deepEqual(mentioned.flatMap(wrongIn), [])
})

test('docs/cli.md has every option of every command', () => {
  const page = readPages().get(join('docs', 'cli.md')) ?? ''
  const [head = '', ...rest] = page.split(/^## /m)
  const rows = rest.join('').split('\n')
  const missing = [...helps].flatMap(([command, help]) => {
    const [name = ''] = command.split(' ')
    const told = [head, ...rows.filter((row) => row.includes(`tidings ${name}`))].join('\n')
    const options = [...help.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, option = '']) => option)
    return options.filter((option) => !told.includes(option)).map((option) => `${command} ${option}`)
  })
  assert.deepEqual(missing, [])
})

test('every npm script and every file that the docs mention exists', async () => {
  const { default: pack } = await import('../../package.json', { with: { type: 'json' } })
  const scripts = spans.flatMap(({ place, text }) => {
    const [, script] = /^npm run ([\w:-]+)/.exec(text) ?? []
    return script === undefined || script in pack.scripts ? [] : [`${place}: ${text}`]
  })
  const files = spans.filter(
    ({ text }) =>
      /^(src|test|bench|scripts|docs|deploy|examples|migrations)\/[\w./-]+\.\w+$/.test(text) &&
      !existsSync(join(ROOT, text)),
  )
  assert.deepEqual([...scripts, ...files.map(({ place, text }) => `${place}: ${text}`)], [])
})

test('every setting that the docs mention exists', () => {
  const known = [...KEYS.map(({ path }) => path), HOST_OVERRIDES].map((path) => `app.${path}`)
  const unknown = spans.filter(({ text }) => {
    const key = /^(app\.[a-z][a-z.-]*[a-z])(?:[:=]|$)/.exec(text)?.[1]
    return (
      key !== undefined && !/\.(ts|md)$/.test(key) && !known.some((path) => path === key || path.startsWith(`${key}.`))
    )
  })
  assert.deepEqual(unknown, [])
})

test('every request that the docs mention exists', async () => {
  const requests = spans.filter(isRequest)
  assert.ok(requests.length > 20, String(requests.length))
  assert.deepEqual(await unknownRequests(requests), [])
})

function wrongIn({ place, text }: Span): string[] {
  const words = text.replace(/^(?:npx )?tidings /, '').split(/[\s[\]]+/)
  const pair = words.slice(0, 2).join(' ')
  const command = helps.has(pair) ? pair : (words[0] ?? '')
  const help = helps.get(command)
  if (help === undefined) return [`${place}: no command ${text}`]
  const options = words.filter((word) => /^--[a-z]/.test(word)).map((word) => word.replace(/[=,].*$/, ''))
  return options.filter((option) => !help.includes(option)).map((option) => `${place}: no ${option} in ${text}`)
}
