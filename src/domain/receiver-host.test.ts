import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  afterDelivery,
  deliveriesAtOnce,
  GOOD_RECEIVER,
  type ReceiverHost,
  receiverChange,
  receiverHostOf,
  testsAtOnce,
  waitEndsAt,
} from './receiver-host.ts'

const MINUTE = 60_000

function failing(times: number, from: ReceiverHost = GOOD_RECEIVER, start = 0): { host: ReceiverHost; now: number } {
  let host = from
  let now = start
  for (let n = 0; n < times; n++) {
    now = Math.max(now, host.waitUntil ?? 0)
    host = afterDelivery(host, false, now)
  }
  return { host, now }
}

test('all mail has one host, which no webhook shares', () => {
  const mailUrl = 'smtps://ann:secret@Mail.example.org:465?tls.ca=x'
  const mails = ['a***@example.org', 'b***@example.com'].map((url) => receiverHostOf({ kind: 'email', url }, mailUrl))
  assert.deepEqual(mails, ['smtp://mail.example.org', 'smtp://mail.example.org'])
  assert.equal(
    receiverHostOf({ kind: 'webhook', url: 'https://Mail.example.org:8443/hook' }, mailUrl),
    'mail.example.org',
  )
  assert.equal(receiverHostOf({ kind: 'slack', url: 'hooks.example.org' }, null), 'hooks.example.org')
})

test('a host has two deliveries at once, and none after five failures in a row until its wait is over', () => {
  assert.equal(deliveriesAtOnce(GOOD_RECEIVER, 0), 2)
  assert.equal(deliveriesAtOnce(failing(4).host, 0), 2)
  const { host } = failing(5)
  assert.deepEqual([deliveriesAtOnce(host, MINUTE - 1), deliveriesAtOnce(host, MINUTE)], [0, 1])
})

test('the wait doubles from a minute to an hour with each probe that fails', () => {
  const waits = Array.from({ length: 10 }, (_, n) => {
    const { host, now } = failing(5 + n)
    return ((host.waitUntil ?? 0) - now) / MINUTE
  })
  assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 60, 60, 60, 60])
  const long = failing(5000)
  assert.equal((long.host.waitUntil ?? 0) - long.now, 60 * MINUTE)
})

test('a failure of what was on its way when the wait began does not lengthen it', () => {
  const { host } = failing(5)
  assert.deepEqual(afterDelivery(host, false, MINUTE - 1), host)
})

test('a success between failures, and a probe that succeeds, start again from nothing', () => {
  assert.deepEqual(afterDelivery(failing(4).host, true, 0), GOOD_RECEIVER)
  const { host, now } = failing(9)
  assert.equal(receiverChange(GOOD_RECEIVER, host), 'begins-to-wait')
  assert.equal(receiverChange(host, GOOD_RECEIVER), 'is-back')
  assert.deepEqual(afterDelivery(host, true, now), GOOD_RECEIVER)
  assert.equal(receiverChange(GOOD_RECEIVER, failing(4, GOOD_RECEIVER, now).host), null)
})

test('a test message does not wait, but is alone while the host fails', () => {
  assert.deepEqual([testsAtOnce(GOOD_RECEIVER), testsAtOnce(failing(5).host)], [2, 1])
})

test('after the clock was set back nobody waits longer than an hour', () => {
  const { host } = failing(5, GOOD_RECEIVER, 30 * 24 * 60 * MINUTE)
  assert.deepEqual([waitEndsAt(host, 0), deliveriesAtOnce(host, 0)], [0, 1])
  assert.deepEqual(afterDelivery(host, false, 0), { failures: 6, waitUntil: 2 * MINUTE })
})
