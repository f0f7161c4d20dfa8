import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type HostState, type RequestGroup, unknownHost } from './host.ts'
import {
  freeFor,
  freeVisitors,
  nextFreeAt,
  spacingAfter,
  spacingEndsFor,
  type VisitDelay,
  type Visitor,
} from './owner-spacing.ts'
import { limitEndsAt, withRequests } from './request-limit.ts'

const NOW = Date.parse('2026-02-17T10:00:00Z')
const OWNERS = ['ann', 'bob', 'cid']
const PER_MINUTE = 4

interface Visit {
  readonly owner: string
  readonly delay: VisitDelay
  readonly at: number
}

const someVisits = fc
  .array(
    fc.record({
      owner: fc.constantFrom(...OWNERS),
      ownMs: fc.option(fc.nat({ max: 600_000 }), { nil: null }),
      othersMs: fc.nat({ max: 60_000 }),
      laterMs: fc.nat({ max: 120_000 }),
    }),
    { maxLength: 8 },
  )
  .map((visits) => {
    let at = NOW
    return visits.map(({ owner, ownMs, othersMs, laterMs }): Visit => {
      at += laterMs
      return { owner, delay: { ownMs, othersMs, type: 'rss' }, at }
    })
  })

function after(visits: readonly Visit[]): HostState {
  let host = unknownHost('a.example')
  for (const { owner, delay, at } of visits) {
    host = { ...host, ...spacingAfter(host, owner, delay, at), lastRequestAt: at }
  }
  return host
}

/** The rule in words: each visit holds back its owner by its own delay, and everybody else by the configured one. */
function expectedFor(owner: string, visits: readonly Visit[], now: number): number {
  const last = visits.at(-1)
  const held = visits.filter((visit) => visit.owner === owner && visit.delay.ownMs !== null)
  const lastOfOwner = visits.findLast((visit) => visit.owner === owner)
  const byLast = last
    ? last.at + (last.owner === owner ? (last.delay.ownMs ?? last.delay.othersMs) : last.delay.othersMs)
    : now
  const byOwn = lastOfOwner && held.includes(lastOfOwner) ? lastOfOwner.at + (lastOfOwner.delay.ownMs ?? 0) : now
  return Math.max(now, byLast, lastOfOwner === last ? now : byOwn)
}

test("a visit holds back its owner's sources by its own delay, and all others by the configured one", () => {
  const property = fc.property(someVisits, fc.constantFrom(...OWNERS), (visits, owner) => {
    const now = visits.at(-1)?.at ?? NOW
    assert.equal(spacingEndsFor(after(visits), owner, now), expectedFor(owner, visits, now))
  })
  fc.assert(property)
})

test('whom a lane may take is whoever is free, and somebody becomes free when it says so', () => {
  const someRequests = fc.array(fc.nat({ max: 50_000 }), { maxLength: 6 })
  const property = fc.property(someVisits, someRequests, fc.nat({ max: 300_000 }), (visits, ages, laterMs) => {
    const now = (visits.at(-1)?.at ?? NOW) + laterMs
    const ago = [...ages].sort((a, b) => b - a)
    const limitedRequests = ago.reduce<readonly RequestGroup[] | null>(
      (all, age) => withRequests(all, 1, now - age),
      null,
    )
    const host = { ...after(visits), limitedRequests }
    const free = freeVisitors(host, PER_MINUTE, now)
    const visitors = [...OWNERS, 'dan'].flatMap((userId): Visitor[] => [
      { userId, isLimited: false },
      { userId, isLimited: true },
    ])
    for (const visitor of visitors) {
      const { userId, isLimited } = visitor
      const may =
        free !== null &&
        (free.only === null || free.only === userId) &&
        !free.except.includes(userId) &&
        !(isLimited && free.unlimitedOnly)
      assert.equal(may, freeFor(host, visitor, PER_MINUTE, now) <= now)
    }
    const next = nextFreeAt(host, PER_MINUTE, now)
    const waiting = visitors.map((visitor) => freeFor(host, visitor, PER_MINUTE, now)).filter((at) => at > now)
    if (waiting.length > 0) assert.ok(next !== null && next <= Math.min(...waiting))
  })
  fc.assert(property)
})

test('in no minute there are more requests than the limit', () => {
  const property = fc.property(fc.array(fc.nat({ max: 20_000 }), { maxLength: 40 }), (pauses) => {
    let groups: readonly RequestGroup[] | null = null
    let now = NOW
    const at: number[] = []
    for (const pause of pauses) {
      now = limitEndsAt(groups, PER_MINUTE, now + pause)
      at.push(now)
      groups = withRequests(groups, 1, now)
    }
    for (const [index, instant] of at.entries()) {
      assert.ok(instant - (at[index - PER_MINUTE] ?? 0) >= 60_000)
    }
    assert.ok((groups ?? []).length <= 14)
  })
  fc.assert(property)
})
