// The reference pages have everything that exists: settings of a source, error codes, events, exports of the library.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { withSettingsTable } from '../../scripts/settings-table.ts'
import { EVENT_TYPES } from '../../src/domain/event.ts'
import { createTidings } from '../../src/index.ts'
import { ROOT } from './pages.ts'

const read = (page: string) => readFileSync(join(ROOT, 'docs', page), 'utf8')

test('docs/rules.md has the settings of a source as the code has them (npm run docs writes them)', () => {
  assert.equal(read('rules.md'), withSettingsTable(read('rules.md')))
})

test('docs/api.md has every error code, with its status', () => {
  const table = readFileSync(join(ROOT, 'src', 'domain', 'problem.ts'), 'utf8')
  const codes = [...table.matchAll(/^ {2}'?([a-z-]+)'?: \{ status: (\d+)/gm)]
  assert.ok(codes.length > 20, String(codes.length))
  const rows = read('api.md').split('\n')
  const missing = codes.filter(
    ([, code, status]) =>
      !rows.some(
        (row) => row.startsWith('| ') && row.split('|')[1]?.includes(status ?? '') && row.includes(`\`${code}\``),
      ),
  )
  assert.deepEqual(
    missing.map(([, code, status]) => `${status} ${code}`),
    [],
  )
})

test('docs/consumers.md has every type of event', () => {
  assert.deepEqual(
    EVENT_TYPES.filter((type) => !read('consumers.md').includes(`| \`${type}\` |`)),
    [],
  )
})

test('docs/library.md has every export of the library, and every function of it', async () => {
  const program = readFileSync(join(ROOT, 'test', 'package', 'consumer.ts.txt'), 'utf8')
  const exported = program.slice(program.indexOf('{') + 1, program.indexOf('}')).split(',')
  const names = exported.map((name) => name.trim().replace(/^type /, '')).filter(Boolean)
  assert.ok(names.length > 45, String(names.length))
  const page = read('library.md')
  const tables = page.split('\n').filter((line) => line.startsWith('|') || line.startsWith('`'))
  const isNamed = (name: string) => tables.some((line) => new RegExp(`\\b${name}\\b`).test(line))
  assert.deepEqual(
    names.filter((name) => !isNamed(name)),
    [],
  )
  await using tidings = await createTidings({ config: { database: { url: 'file::memory:' } } })
  // These two belong to the server, and are not for users of the library.
  const { types: _types, shapes: _shapes, posts: _posts, articles: _articles, ...catalogue } = tidings.catalogue
  const { posts, articles, polls, hosts, events } = tidings
  const groups = { ...catalogue, posts, articles, polls, hosts, events, tidings }
  const functions = Object.values(groups).flatMap((group) =>
    Object.entries(group).flatMap(([name, value]) => (typeof value === 'function' ? [name] : [])),
  )
  assert.ok(functions.length > 50, String(functions.length))
  assert.deepEqual(
    functions.filter((name) => !isNamed(name)),
    [],
  )
})
