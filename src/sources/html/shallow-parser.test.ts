import assert from 'node:assert/strict'
import { test } from 'node:test'
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

test('200,000 levels cost what 200,000 elements cost, and their text is still told', () => {
  const started = performance.now()
  const nested = read(`${'<div>x'.repeat(200_000)}bottom${'</div>'.repeat(200_000)}`)
  assert.ok(performance.now() - started < 5_000)
  assert.equal(nested.text.length, 200_006)
  assert.equal(nested.deepest, 1_001)
  assert.equal(nested.open, 0)
})

test('closing tags that nothing opened cost no search through the depths', () => {
  const started = performance.now()
  assert.equal(read(`${'<div>'.repeat(100_000)}${'</b>'.repeat(100_000)}x`).text, 'x')
  assert.ok(performance.now() - started < 5_000)
})
