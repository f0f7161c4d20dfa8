import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fittingPage, fittingSlice, MAX_CHARACTERS, resultOf } from './fit.ts'

function sizeOf(answer: object): number {
  return JSON.stringify(resultOf(answer as Record<string, unknown>)).length
}

test('a page that is too long is asked for again with as many items as fit', async () => {
  const asked: number[] = []
  const answer = await fittingPage(100, async (limit) => {
    asked.push(limit)
    const items = Array.from({ length: limit }, (_, n) => ({ id: String(n), text: '"quoted" '.repeat(100) }))
    return { items, nextCursor: `after ${limit}` }
  })
  assert.equal(asked.length, 2)
  assert.ok(answer.items.length >= 5)
  assert.equal(answer.nextCursor, `after ${answer.items.length}`)
  assert.ok(sizeOf(answer) <= MAX_CHARACTERS)
})

test('an item that alone is too long is still answered, so that the list goes on', async () => {
  const answer = await fittingPage(3, async (limit) => ({ items: Array(limit).fill('x'.repeat(20_000)) }))
  assert.equal(answer.items.length, 1)
})

test('slices put together are the whole text, whatever has to be escaped', () => {
  const whole = `${'"\\\n'.repeat(9000)}${'\u{1f680}地震'.repeat(9000)}`
  let [text, offset] = ['', 0]
  for (let next: number | null = 0; next !== null; ) {
    offset = next
    const answer = fittingSlice(whole, offset, (slice) => {
      const end = offset + slice.length
      return { text: slice, nextOffset: end < whole.length ? end : null }
    })
    assert.ok(sizeOf(answer) <= MAX_CHARACTERS)
    assert.ok(answer.text.isWellFormed())
    text += answer.text
    next = answer.nextOffset
  }
  assert.equal(text, whole)
})
