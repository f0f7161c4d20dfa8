import assert from 'node:assert/strict'
import { test } from 'node:test'
import { relativeTime } from './output.ts'
import { table } from './table.ts'

const COLUMNS = [{ title: 'A', fixed: true as const }, { title: 'TEXT' }, { title: 'N', align: 'right' as const }]

test('columns are aligned, numbers to the right, and nothing is shortened without a width', () => {
  const long = 'x'.repeat(300)
  assert.equal(
    table(
      COLUMNS,
      [
        ['ok', 'short', '5'],
        ['bad', long, '1234'],
      ],
      undefined,
    ),
    `A    TEXT${' '.repeat(296)}     N\nok   short${' '.repeat(295)}     5\nbad  ${long}  1234\n`,
  )
})

test('no line is wider than the terminal, and the widest column is shortened', () => {
  const text = table(COLUMNS, [['fixed-column', 'y'.repeat(200), '7']], 40)
  for (const line of text.trimEnd().split('\n')) assert.ok(line.length <= 40, line)
  assert.match(text, /fixed-column {2}y+… {2}.*7/)
})

test('wide characters count as two cells', () => {
  const [, first = '', second = ''] = table(
    [{ title: 'T' }, { title: 'N' }],
    [
      ['日本', '1'],
      ['abcd', '2'],
    ],
    undefined,
  ).split('\n')
  assert.equal(first, '日本  1')
  assert.equal(second, 'abcd  2')
  assert.match(table([{ title: 'T' }], [['日本語日本語日本語']], 9), /日本語日…/)
})

test('control characters in cells are shown as escapes', () => {
  assert.equal(table([{ title: 'T' }], [['a\u001b[2Jb\nc']], undefined), 'T\na\\x1b[2Jb\\nc\n')
})

test('times are shown relative to now', () => {
  const now = Date.UTC(2026, 0, 10)
  const at = (ms: number) => relativeTime(new Date(now + ms).toISOString(), now)
  assert.deepEqual(
    [at(0), at(-3000), at(61_000), at(-7_200_000), at(3 * 86_400_000), relativeTime(null, now)],
    ['now', '3 s ago', 'in 1 min', '2 h ago', 'in 3 d', '-'],
  )
})
