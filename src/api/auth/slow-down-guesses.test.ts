import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSlowDown, networkOf } from './slow-down-guesses.ts'

const OPEN = new AbortController().signal
const address = (n: number) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`

test('wrong guesses are counted per address and forgotten after a pause of 15 minutes', () => {
  let now = 0
  const slowDown = createSlowDown(() => now)
  const count = (from: string) => slowDown.countWrongGuess(from).inARow
  assert.deepEqual([count('10.0.0.1'), count('10.0.0.1'), count('10.0.0.2')], [1, 2, 1])
  now += 15 * 60_000 - 1
  assert.equal(count('10.0.0.1'), 3)
  now += 15 * 60_000
  assert.equal(count('10.0.0.1'), 1)
})

test('at most 10,000 addresses are remembered, and the oldest is forgotten first', () => {
  const slowDown = createSlowDown(() => 0)
  for (let n = 0; n < 10_000; n++) slowDown.countWrongGuess(address(n))
  assert.equal(slowDown.countWrongGuess(address(0)).inARow, 2)
  slowDown.countWrongGuess(address(10_000))
  assert.equal(slowDown.countWrongGuess(address(0)).inARow, 3, 'the one that guessed last is still known')
  assert.equal(slowDown.countWrongGuess(address(1)).inARow, 1, 'the one that had been quiet longest made room')
})

test('an IPv6 network counts as one address, and an IPv4 address is the same in its IPv6 form', () => {
  assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), networkOf('2001:0DB8:1:2::9'))
  assert.notEqual(networkOf('2001:db8:1:2::1'), networkOf('2001:db8:1:3::1'))
  assert.equal(networkOf('fe80::1%eth0'), networkOf('fe80::2'))
  assert.equal(networkOf('2001:db8::1'), '2001:db8:0:0::/64')
  assert.equal(networkOf('::1'), '0:0:0:0::/64')
  assert.equal(networkOf('::ffff:10.0.0.1'), '10.0.0.1')
  assert.equal(networkOf('10.0.0.1'), '10.0.0.1')
})

test('at most 20 guesses of one address and 1,000 of all wait; closing the server answers them', async () => {
  const slowDown = createSlowDown(() => 0)
  const closing = new AbortController()
  const waiting: Promise<void>[] = []
  const guess = (from: string) => {
    const wrong = slowDown.countWrongGuess(from)
    if (!wrong.turnedAway) waiting.push(wrong.wait(closing.signal))
    return wrong
  }
  // The first three are answered at once.
  for (let n = 0; n < 23; n++) assert.equal(guess('10.9.9.9').turnedAway, false)
  const refused = guess('10.9.9.9')
  await assert.rejects(refused.wait(OPEN), { code: 'too-many-requests', retryAfterSeconds: 5 })
  for (let n = 0; n < 49; n++) for (let of = 0; of < 23; of++) guess(address(n))
  assert.equal(guess('10.8.8.8').turnedAway, true)
  closing.abort()
  await Promise.all(waiting)
  assert.equal(guess('10.8.8.8').turnedAway, false)
})
