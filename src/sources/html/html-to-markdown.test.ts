import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertGrowsLinearly } from '../../../test/support/processor-time.ts'
import { htmlToMarkdown } from './html-to-markdown.ts'

const table = (rows: number): string =>
  `<table><tr><th>Port</th><th>Depth</th></tr>${'<tr><td>Hull</td><td>9 m</td></tr>'.repeat(rows)}</table>`

describe('Markdown', () => {
  test('of a table is a table', () => {
    assert.equal(htmlToMarkdown(table(1)), '| Port | Depth |\n| --- | --- |\n| Hull | 9 m |')
  })

  test('of a table of thousands has all its words', () => {
    const markdown = htmlToMarkdown(table(2000))
    assert.equal(markdown.match(/Hull/g)?.length, 2000)
    assert.match(markdown, /^Port\s+Depth\s+Hull\s+9 m\s/)
  })

  const shapes: Readonly<Record<string, (count: number) => string>> = {
    rows: table,
    cells: (count) => `<table><tr>${'<td>b</td>'.repeat(count)}</tr></table>`,
    tables: (count) => '<table><tr><td>b</td></tr></table>'.repeat(count),
    paragraphs: (count) => '<p>x</p>'.repeat(count),
    'nested quotes': (count) => `${'<blockquote>'.repeat(40)}${'<p>x</p>'.repeat(count)}${'</blockquote>'.repeat(40)}`,
    links: (count) => '<a href="https://x.example/">*y*</a> '.repeat(count),
    'marks of Markdown': (count) => '*_`[1. - '.repeat(count),
  }
  for (const [name, html] of Object.entries(shapes)) {
    test(`takes no longer than in proportion: ${name}`, () =>
      assertGrowsLinearly(name, 1100, (count) => htmlToMarkdown(html(count))))
  }
})
