import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hostOf } from './address.ts'
import { afterGoodPoll, mayMove, permanentTarget, type RedirectHop } from './moved.ts'
import type { PermanentRedirect } from './source.ts'

const OLD = 'http://old.example/feed'
const NEW = 'https://new.example/feed'
const never = (): boolean => false
const always = (): boolean => true
const at = (url: string, hasCredentials = false) => ({ url, host: hostOf(url), hasCredentials })
const hop = (status: number, to = NEW): RedirectHop => ({ from: OLD, to, status })

test('a trail that is permanent all the way leads to its last hop', () => {
  assert.equal(permanentTarget([hop(301, 'http://between.example/'), hop(308)]), NEW)
  assert.equal(permanentTarget([]), null)
})

test('one temporary hop makes the whole trail temporary', () => {
  for (const status of [302, 303, 307]) {
    assert.equal(permanentTarget([hop(301), hop(status)]), null)
    assert.equal(permanentTarget([hop(status), hop(301)]), null)
  }
})

test('a permanent redirect is stored on the third good poll in a row that saw it', () => {
  let seen: PermanentRedirect | null = null
  const stored: boolean[] = []
  for (let poll = 0; poll < 3; poll += 1) {
    seen = afterGoodPoll(seen, NEW)
    stored.push(mayMove(at(OLD), seen, never))
  }
  assert.deepEqual(stored, [false, false, true])
})

test('another target, or a good poll without redirect, starts the count again', () => {
  const twice = { url: NEW, seen: 2 }
  assert.deepEqual(afterGoodPoll(twice, 'https://third.example/'), { url: 'https://third.example/', seen: 1 })
  assert.equal(afterGoodPoll(twice, null), null)
})

test('from http to http it is stored only within the registrable domain', () => {
  const redirect = { url: 'http://elsewhere.example/', seen: 3 }
  assert.equal(mayMove(at(OLD), redirect, never), false)
  assert.equal(mayMove(at(OLD), redirect, always), true)
})

test('https on either side is enough, however its scheme is written', () => {
  const plain = { url: 'http://elsewhere.example/', seen: 3 }
  assert.equal(mayMove(at('https://old.example/'), plain, never), true)
  assert.equal(mayMove(at('HTTPS://old.example/'), plain, never), true)
  assert.equal(mayMove(at(OLD), { url: NEW, seen: 3 }, never), true)
  assert.equal(mayMove(at('http://https:/'), plain, never), false)
})

test('a source with credentials stays where they may go: on its host, and never from https to http', () => {
  const secure = at('https://old.example/feed', true)
  const seen = (url: string) => ({ url, seen: 3 })
  assert.equal(mayMove(secure, seen('http://old.example/feed'), always), false)
  assert.equal(mayMove(at('HTTPS://old.example/feed', true), seen('http://old.example/feed'), always), false)
  assert.equal(mayMove(secure, seen('https://new.example/feed'), always), false)
  assert.equal(mayMove(secure, seen('https://old.example/other'), never), true)
  assert.equal(mayMove(at('http://old.example/feed', true), seen('https://old.example/feed'), never), true)
  assert.equal(mayMove(at('https://old.example/feed'), seen('http://old.example/feed'), never), true)
})

test('an address that nobody could enter as a source’s URL is not stored', () => {
  const long = (length: number) => ({ url: NEW.padEnd(length, 'x'), seen: 3 })
  assert.deepEqual([mayMove(at(OLD), long(2000), never), mayMove(at(OLD), long(2001), never)], [true, false])
})

test('for any history of good polls the last three must all have led to the stored target', () => {
  const targets = fc.constantFrom(NEW, 'https://third.example/', null)
  fc.assert(
    fc.property(fc.array(targets, { maxLength: 30 }), (history) => {
      const redirect = history.reduce<PermanentRedirect | null>(afterGoodPoll, null)
      const last = history.slice(-3)
      const steady = last.length === 3 && last.every((target) => target !== null && target === last[0])
      assert.equal(mayMove(at(OLD), redirect, never), steady)
      if (steady) assert.equal(redirect?.url, last[0])
    }),
  )
})
