import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseHttpDate } from './http-date.ts'

const NOW = Date.UTC(2026, 10, 15)
const EXAMPLE = Date.UTC(1994, 10, 6, 8, 49, 37)

test('all three forms of an HTTP date name the same instant', () => {
  for (const text of [
    'Sun, 06 Nov 1994 08:49:37 GMT',
    'Sunday, 06-Nov-94 08:49:37 GMT',
    'Sun Nov  6 08:49:37 1994',
    ' sun, 6 nov 1994 08:49:37 gmt ',
  ])
    assert.equal(parseHttpDate(text, NOW), EXAMPLE, text)
})

test('a two-digit year is in this century unless that is more than 50 years ahead', () => {
  assert.equal(parseHttpDate('Monday, 01-Jan-76 00:00:00 GMT', NOW), Date.UTC(2076, 0, 1))
  assert.equal(parseHttpDate('Monday, 01-Jan-77 00:00:00 GMT', NOW), Date.UTC(1977, 0, 1))
})

test('what is not a date is null', () => {
  for (const text of [
    '',
    '0',
    '-1',
    'now',
    '2026-11-15',
    'Sun, 31 Feb 2026 00:00:00 GMT',
    'Sun, 06 Nov 1994 25:00:00 GMT',
  ])
    assert.equal(parseHttpDate(text, NOW), null, text)
})

test('far years do not overflow and year 1 is not 1901', () => {
  assert.equal(parseHttpDate('Fri, 31 Dec 9999 23:59:59 GMT', NOW), 253402300799000)
  assert.ok((parseHttpDate('Mon, 01 Jan 0001 00:00:00 GMT', NOW) ?? 0) < Date.UTC(1000, 0))
})
