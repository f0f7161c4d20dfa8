import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertGrowsLinearly } from '../../../test/support/processor-time.ts'
import { ShallowParser } from './shallow-parser.ts'

function read(html: string): { deepest: number; text: string; open: number } {
  let open = 0
  let deepest = 0
  let text = ''
  const parser = new ShallowParser({
    onopentag: () => {
      deepest = Math.max(deepest, ++open)
    },
    onclosetag: () => {
      open--
    },
    ontext: (piece) => {
      text += piece
    },
  })
  parser.end(html)
  return { deepest, text, open }
}

test('an ordinary document is read as it stands', () => {
  assert.deepEqual(read('<div><p>a<br>b</p>c</div>d'), { deepest: 3, text: 'abcd', open: 0 })
})

test('200,000 levels cost what 200,000 elements cost, and their text is still told', async () => {
  const nested = (levels: number) => read(`${'<div>x'.repeat(levels)}bottom${'</div>'.repeat(levels)}`)
  const { text, deepest, open } = nested(200_000)
  assert.deepEqual([text.length, deepest, open], [200_006, 1_001, 0])
  await assertGrowsLinearly('levels', 25_000, nested)
})

test('closing tags that nothing opened cost no search through the depths', async () => {
  const unopened = (tags: number) => read(`${'<div>'.repeat(tags)}${'</b>'.repeat(tags)}x`)
  assert.equal(unopened(100_000).text, 'x')
  await assertGrowsLinearly('closing tags', 12_500, unopened)
})
