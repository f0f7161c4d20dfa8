import assert from 'node:assert/strict'
import { test } from 'node:test'
import { painter, withoutColours } from './colour.ts'
import { withoutScheme } from './layout.ts'
import { paceText } from './progress.ts'
import { type Column, displayWidth, table } from './table.ts'

const COLUMNS: readonly Column[] = [
  { title: 'HEALTH', fixed: true, tone: () => 'good' },
  { title: 'TYPE', fixed: true, drop: 1 },
  { title: 'SOURCE', key: true, shorten: withoutScheme },
  { title: 'POSTS', align: 'right', fixed: true, drop: 2 },
  { title: 'TROUBLE' },
]
const host = 'a-rather-long-host-name.example.org'
const rows = [
  ['ok', 'rss', `https://${host}/feed.xml`, '12', 'the server answered with status 503 and asked for patience'],
  ['ok', 'rss', 'https://b.example/', '1', ''],
]

function linesAt(width: number): string[] {
  return table(COLUMNS, rows, width).trimEnd().split('\n')
}

test('at every width the column one looks for is whole, and no other line is wider than the terminal', () => {
  for (let width = 40; width <= 140; width += 1) {
    const lines = linesAt(width)
    assert.ok(
      lines.some((line) => line.includes(`${host}/feed.xml`)),
      `cut at ${width}`,
    )
    for (const line of lines.filter((each) => !each.includes(host)))
      assert.ok(displayWidth(line) <= width, `${width}: ${line}`)
  }
})

test('schemes give way first, then long texts, then columns that matter less', () => {
  assert.match(linesAt(140)[1] ?? '', /rss +https:\/\/.* patience$/)
  const [head100 = '', first100 = ''] = linesAt(100)
  assert.match(head100, /TYPE/)
  assert.match(first100, /rss +a-rather-long.*…$/)
  const [head80 = ''] = linesAt(80)
  assert.ok(!head80.includes('TYPE') && head80.includes('POSTS'), head80)
})

test('a text that does not fit at all gets a line of its own', () => {
  const lines = linesAt(40)
  assert.equal(lines[1], `${host}/feed.xml`)
  assert.match(lines[2] ?? '', /^ok /)
})

test('a text that wraps goes on below itself, and a word that is too long stands whole below the row', () => {
  const columns: Column[] = [
    { title: 'STORED', fixed: true },
    { title: 'TITLE', wraps: true },
    { title: 'URL', below: true },
  ]
  const [title, url] = ['What the sea gave back this year', 'https://example.org/2026/11/16/what-the-sea-gave-back']
  const at = (width: number, name = title) =>
    table(columns, [['3 h ago', name, url]], width)
      .trimEnd()
      .split('\n')
  assert.deepEqual(at(140), ['STORED   TITLE                             URL', `3 h ago  ${title}  ${url}`])
  assert.deepEqual(at(80), ['STORED   TITLE', `3 h ago  ${title}`, `  ${url}`])
  const narrow = ['STORED   TITLE', '3 h ago  What the sea gave', '         back this year', `  ${url}`]
  assert.deepEqual(at(30), narrow)
  const word = 'x'.repeat(40)
  assert.deepEqual(at(30, word).slice(1), ['3 h ago', `  ${word}`, `  ${url}`])
})

test('colours change nothing about the layout', () => {
  const painted = table(COLUMNS, rows, 80, painter(true))
  assert.equal(withoutColours(painted).replace(/ +$/gm, ''), table(COLUMNS, rows, 80))
})

test('progress names rate and remaining time once they mean something', () => {
  assert.deepEqual(paceText(3, 100, 500), [])
  assert.deepEqual(paceText(10, 100, 5000), ['2.0/s', '45 s left'])
  assert.deepEqual(paceText(1, 100, 10_000), ['6.0/min', '17 min left'])
  assert.deepEqual(paceText(100, 100, 5000), ['20/s'])
  assert.deepEqual(paceText(10, 10_000, 10_000), ['1.0/s', '2 h 47 min left'])
})
