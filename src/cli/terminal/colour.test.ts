import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isColourful, painter, withoutColours } from './colour.ts'

const terminal = { isTTY: true, write: () => undefined }
const pipe = { write: () => undefined }

test('a terminal has colours, a pipe has none, and --color decides otherwise', () => {
  const colourful = (choice: 'auto' | 'always' | 'never' | undefined, stream: typeof pipe, env = {}) =>
    isColourful(choice, { env, stream })
  assert.deepEqual(
    [colourful(undefined, terminal), colourful('auto', terminal), colourful('never', terminal)],
    [true, true, false],
  )
  assert.deepEqual(
    [colourful(undefined, pipe), colourful('auto', pipe), colourful('always', pipe)],
    [false, false, true],
  )
})

test('NO_COLOR turns colours off unless --color asks for them; an empty one says nothing', () => {
  const with_ = (NO_COLOR: string, choice?: 'always') => isColourful(choice, { env: { NO_COLOR }, stream: terminal })
  assert.deepEqual([with_('1'), with_(''), with_('1', 'always')], [false, true, true])
  assert.equal(isColourful(undefined, { env: { TERM: 'dumb' }, stream: terminal }), false)
})

test('what is painted is the same text without its colours', () => {
  const painted = painter(true)('bad', 'FAILED')
  assert.notEqual(painted, 'FAILED')
  assert.equal(withoutColours(painted), 'FAILED')
  assert.equal(painter(false)('bad', 'FAILED'), 'FAILED')
})
