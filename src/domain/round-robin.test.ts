import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextInTurn } from './round-robin.ts'

test('each has its turn, and after the last the first again', () => {
  const turns: (string | null)[] = []
  let last: string | null = null
  for (let turn = 0; turn < 5; turn += 1) {
    last = nextInTurn(last, ['a', 'b', 'c'])
    turns.push(last)
  }
  assert.deepEqual(turns, ['a', 'b', 'c', 'a', 'b'])
})

test('one that left or joined between two turns disturbs nobody', () => {
  assert.equal(nextInTurn('b', ['a', 'c']), 'c')
  assert.equal(nextInTurn('b', ['a', 'bb', 'c']), 'bb')
  assert.equal(nextInTurn('z', ['a']), 'a')
  assert.equal(nextInTurn('a', []), null)
})
