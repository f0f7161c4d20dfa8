import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOLD_MS, heldByOther, RENEW_MS, WANT_MS, wantedByOther } from './host-lease.ts'

const NOW = Date.parse('2026-02-17T10:00:00Z')

test('a lane is held by another process until nothing has been heard of it for long enough', () => {
  const held = { heldBy: 'other', heldUntil: NOW + HOLD_MS }
  assert.equal(heldByOther(held, 'this', NOW), NOW + HOLD_MS)
  assert.equal(heldByOther(held, 'this', NOW + HOLD_MS - 1), NOW + HOLD_MS)
  assert.equal(heldByOther(held, 'this', NOW + HOLD_MS), null)
  assert.equal(heldByOther({ heldBy: null, heldUntil: null }, 'this', NOW), null)
})

test('what this process holds itself keeps it from nothing', () => {
  assert.equal(heldByOther({ heldBy: 'this', heldUntil: NOW + HOLD_MS }, 'this', NOW), null)
  assert.equal(wantedByOther({ wantedBy: 'this', wantedUntil: NOW + WANT_MS }, 'this', NOW), false)
})

test('a hold that only a clock set back can explain holds nobody, one of a clock a little ahead does', () => {
  assert.equal(heldByOther({ heldBy: 'other', heldUntil: NOW + 3 * HOLD_MS }, 'this', NOW), null)
  assert.equal(heldByOther({ heldBy: 'other', heldUntil: NOW + HOLD_MS + 5000 }, 'this', NOW), NOW + HOLD_MS + 5000)
  assert.equal(wantedByOther({ wantedBy: 'other', wantedUntil: NOW + 3 * WANT_MS }, 'this', NOW), false)
})

test('a lane is wanted elsewhere while another process has lately said so', () => {
  const wanted = { wantedBy: 'other', wantedUntil: NOW + WANT_MS }
  assert.equal(wantedByOther(wanted, 'this', NOW), true)
  assert.equal(wantedByOther(wanted, 'this', NOW + WANT_MS), false)
})

test('one word of a process may be lost, and its clock be some seconds off', () => {
  assert.ok(HOLD_MS >= 3 * RENEW_MS)
})
