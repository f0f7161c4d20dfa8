import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CLAIM_MS, claimedByOther, LEASE_MS, leasedByOther, RENEW_LEASE_MS } from './host-lease.ts'

const NOW = Date.parse('2026-02-17T10:00:00Z')

test('a lane is held by another process until nothing has been heard of it for long enough', () => {
  const held = { leasedBy: 'other', leasedUntil: NOW + LEASE_MS }
  assert.equal(leasedByOther(held, 'this', NOW), NOW + LEASE_MS)
  assert.equal(leasedByOther(held, 'this', NOW + LEASE_MS - 1), NOW + LEASE_MS)
  assert.equal(leasedByOther(held, 'this', NOW + LEASE_MS), null)
  assert.equal(leasedByOther({ leasedBy: null, leasedUntil: null }, 'this', NOW), null)
})

test('what this process holds itself keeps it from nothing', () => {
  assert.equal(leasedByOther({ leasedBy: 'this', leasedUntil: NOW + LEASE_MS }, 'this', NOW), null)
  assert.equal(claimedByOther({ claimedBy: 'this', claimedUntil: NOW + CLAIM_MS }, 'this', NOW), false)
})

test('a hold that only a clock set back can explain holds nobody, one of a clock a little ahead does', () => {
  assert.equal(leasedByOther({ leasedBy: 'other', leasedUntil: NOW + 3 * LEASE_MS }, 'this', NOW), null)
  assert.equal(
    leasedByOther({ leasedBy: 'other', leasedUntil: NOW + LEASE_MS + 5000 }, 'this', NOW),
    NOW + LEASE_MS + 5000,
  )
  assert.equal(claimedByOther({ claimedBy: 'other', claimedUntil: NOW + 3 * CLAIM_MS }, 'this', NOW), false)
})

test('a lane is wanted elsewhere while another process has lately said so', () => {
  const wanted = { claimedBy: 'other', claimedUntil: NOW + CLAIM_MS }
  assert.equal(claimedByOther(wanted, 'this', NOW), true)
  assert.equal(claimedByOther(wanted, 'this', NOW + CLAIM_MS), false)
})

test('one word of a process may be lost, and its clock be some seconds off', () => {
  assert.ok(LEASE_MS >= 3 * RENEW_LEASE_MS)
})
