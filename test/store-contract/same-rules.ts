// Rules that SQL repeats, because another process may come between reading and writing: whatever the rows say, the
// statement and the pure rule give the same answer.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { GOOD_HEALTH } from '../../src/domain/health.ts'
import { type HostState, unknownHost } from '../../src/domain/host.ts'
import { LEASE_MS, leasedByOther } from '../../src/domain/host-lease.ts'
import { isSoonFree, spacingEndsFor } from '../../src/domain/owner-spacing.ts'
import { CLOCKS_DIFFER_MS, HOUR_MS, MINUTE_MS, ownPlans, recoveryPlans } from '../../src/domain/schedule.ts'
import type { Source } from '../../src/domain/source.ts'
import { AT_ONCE_MS, LONGEST_DELAY_MS, reservedUntil, spacingEndsAt } from '../../src/domain/spacing.ts'
import type { Store } from '../../src/ports/store.ts'
import { ALL, aSource, type Check, NOW, withSources } from './fixtures.ts'

const LANE = 'a.example'
const RUNS = 150
const LIMITS = { maxBackoffHours: 24 }

/** Instants where one of the rules changes its answer, and those right beside them. */
const EDGES = [0, AT_ONCE_MS, LEASE_MS, 2 * LEASE_MS, CLOCKS_DIFFER_MS, LONGEST_DELAY_MS]
const anInstant = fc
  .tuple(fc.constantFrom(...EDGES, -MINUTE_MS), fc.constantFrom(-1, 0, 1))
  .map(([edge, beside]) => NOW + edge + beside)
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })

const aHost = fc.record({
  notBefore: maybe(anInstant),
  lastRequestAt: maybe(anInstant),
  leasedBy: maybe(fc.constantFrom('this', 'other')),
  leasedUntil: maybe(anInstant),
})
const aVisit = fc.nat({ max: 5000 }).map((delayMs) => ({ startedAt: NOW, notBefore: NOW + delayMs }))

async function seeded(store: Store, given: Partial<HostState>): Promise<HostState> {
  const { lane: _, ...fresh } = unknownHost(LANE)
  return store.changeHost(LANE, () => ({ ...fresh, ...given }))
}

async function notBefore(store: Store): Promise<number | null | undefined> {
  return (await store.hostState(LANE))?.notBefore
}

export function sameRulesContract(check: Check): void {
  check('a host is leased exactly when its spacing is over and no other process has a lease', async ({ store }) => {
    const property = fc.asyncProperty(aHost, aVisit, fc.boolean(), async (given, visit, isShared) => {
      const host = await seeded(store, given)
      const isSpaced = spacingEndsAt(host, NOW) > NOW
      const isTaken = isShared && leasedByOther(host, 'this', NOW) !== null
      const lease = isShared ? { by: 'this', until: NOW + LEASE_MS } : null
      assert.equal(Boolean(await store.leaseHost(LANE, { ...visit, lease })), !isSpaced && !isTaken)
    })
    await fc.assert(property, { numRuns: RUNS })
  })

  const aSharedHost = fc
    .tuple(aHost, maybe(fc.constantFrom('ann', 'bob')), anInstant)
    .map(([host, spacedFor, at]) => ({ ...host, spacedFor, othersNotBefore: spacedFor === null ? null : at }))

  check('on a host with several owners, each is let in exactly when its own spacing is over', async ({ store }) => {
    const anOwner = fc.constantFrom('ann', 'bob', 'cid')
    const property = fc.asyncProperty(aSharedHost, aVisit, anOwner, async (given, visit, userId) => {
      // Reservations further ahead than any delay are from before the clock was set back, whoever they count for.
      fc.pre([given.notBefore, given.othersNotBefore].every((at) => (at ?? 0) <= NOW + LONGEST_DELAY_MS))
      const host = await seeded(store, given)
      const isFree = spacingEndsFor(host, userId, NOW) <= NOW
      assert.equal(Boolean(await store.leaseHost(LANE, { ...visit, userId, lease: null })), isFree)
    })
    await fc.assert(property, { numRuns: RUNS })
  })

  check(
    'a host is probed exactly when it worked, its breaker is closed and anybody may ask it soon',
    async ({ store }) => {
      await withSources(store, aSource('s1', { lane: LANE }))
      const soon = fc.constantFrom(-1, 0, 1).map((beside) => NOW + MINUTE_MS + beside)
      const at = fc.oneof(anInstant, soon)
      const given = fc.record({
        ...{ notBefore: maybe(at), othersNotBefore: maybe(at), lastRequestAt: maybe(at), closedUntil: maybe(at) },
        spacedFor: maybe(fc.constantFrom('ann', 'bob')),
        heldOwners: maybe(fc.constant({ ann: NOW + HOUR_MS })),
        limitedRequests: maybe(fc.constant([{ firstAt: NOW, lastAt: NOW, requests: 1000 }])),
        isOpen: fc.boolean(),
      })
      const property = fc.asyncProperty(given, async ({ isOpen, ...given }) => {
        const { breaker } = unknownHost(LANE)
        const state = isOpen ? 'open' : 'closed'
        const host = await seeded(store, { ...given, breaker: { ...breaker, state }, lastSucceededAt: NOW })
        const isFree = isSoonFree(host, MINUTE_MS, NOW)
        const worked = await store.hostsThatWorked({ since: NOW - 1, now: NOW, except: [], limit: 3 })
        assert.deepEqual(
          worked.map(({ lane }) => lane),
          isFree && !isOpen ? [LANE] : [],
        )
        // In an outage a host that is down by itself has its turn too, if there is no other.
        assert.deepEqual(await store.laneRotation({ now: NOW, after: null }), isFree ? [LANE] : [])
      })
      await fc.assert(property, { numRuns: RUNS })
    },
  )

  check('a visit to a host with several owners leaves the reservation that the rule says', async ({ store }) => {
    const property = fc.asyncProperty(aSharedHost, aVisit, fc.boolean(), async (given, visit, isExtended) => {
      const host = await seeded(store, given)
      if (isExtended) await store.extendLease(LANE, visit, null)
      else await store.releaseHost(LANE, visit, 'this')
      assert.equal(await notBefore(store), reservedUntil(host, visit))
    })
    await fc.assert(property, { numRuns: RUNS })
  })

  check('a clock that was set back moves what a host waits for back as much, and no further', async ({ store }) => {
    const waits = [
      'notBefore',
      'othersNotBefore',
      'closedUntil',
      'quotaUntil',
      'leasedUntil',
      'lastCompletedAt',
    ] as const
    const instants = fc.record(Object.fromEntries(waits.map((name) => [name, maybe(anInstant)])))
    const property = fc.asyncProperty(instants, maybe(anInstant), async (given, lastRequestAt) => {
      const host = await seeded(store, { ...given, lastRequestAt, heldOwners: { ann: NOW + 5 } })
      await store.setHostsBack(NOW)
      const after = await store.hostState(LANE)
      const isAhead = lastRequestAt !== null && lastRequestAt > NOW + CLOCKS_DIFFER_MS
      const byMs = isAhead ? lastRequestAt - NOW : 0
      assert.equal(after?.lastRequestAt, isAhead ? NOW : lastRequestAt)
      assert.deepEqual(after?.heldOwners, isAhead ? null : host.heldOwners)
      for (const name of waits) {
        const was = host[name]
        assert.equal(after?.[name], was === null ? null : was - byMs, name)
      }
    })
    await fc.assert(property, { numRuns: RUNS })
  })

  check('a lease is refused once anybody has asked the host since it was seen', async ({ store }) => {
    const asked = maybe(fc.constantFrom(NOW - 2, NOW - 1, NOW))
    const property = fc.asyncProperty(asked, asked, aVisit, async (lastRequestAt, seenAt, visit) => {
      await seeded(store, { lastRequestAt })
      const lease = { by: 'this', until: NOW + LEASE_MS }
      assert.equal(
        Boolean(await store.leaseHost(LANE, { ...visit, lease, lastRequestAt: seenAt })),
        lastRequestAt === seenAt,
      )
    })
    await fc.assert(property, { numRuns: RUNS })
  })

  check('the end of a visit keeps the later of two reservations, whoever made it', async ({ store }) => {
    const property = fc.asyncProperty(aHost, aVisit, fc.boolean(), async (given, visit, isExtended) => {
      const host = await seeded(store, given)
      if (isExtended) await store.extendLease(LANE, visit, null)
      else await store.releaseHost(LANE, visit, 'this')
      assert.equal(await notBefore(store), reservedUntil(host, visit))
    })
    await fc.assert(property, { numRuns: RUNS })
  })

  const aState = fc.record({
    nextPollAt: maybe(fc.integer({ min: -2 * 60, max: 2 * 60 }).map((minutes) => NOW + minutes * MINUTE_MS)),
    lastPolled: maybe(fc.integer({ min: 0, max: 48 * 60 }).map((minutes) => NOW - minutes * MINUTE_MS)),
    consecutiveFailures: fc.nat({ max: 8 }),
    retryAt: maybe(fc.constant(NOW + HOUR_MS)),
    enabled: fc.boolean(),
    leads: fc.boolean(),
  })

  check('the sources of a host get the health and the plans that the rules say when it recovers', async ({ store }) => {
    const ids = ['s1', 's2', 's3', 's4']
    await withSources(store, ...ids.map((id) => aSource(id)))
    const states = fc.array(aState, { minLength: ids.length, maxLength: ids.length })
    const property = fc.asyncProperty(states, fc.boolean(), async (given, isClean) => {
      const before = new Map<string, Source>()
      for (const [index, { leads, ...state }] of given.entries()) {
        const id = ids[index] ?? ''
        const place = leads ? { lane: 'b.example', leadsTo: LANE } : { lane: LANE, leadsTo: null }
        const failing = { permanentRun: ['404'], lastFailureType: 'permanent', lastFailureReason: 'x' } as const
        const changed = await store.changeSource(id, () => ({ set: { ...state, ...place, ...failing }, events: [] }))
        assert.ok(changed && changed !== 'exists')
        before.set(id, changed)
      }
      const rule = isClean ? recoveryPlans : ownPlans
      let told: readonly Source[] = []
      const plans = (sources: readonly Source[]) => {
        told = sources
        return rule(sources, LIMITS, NOW)
      }
      await store.recoverHost(LANE, () => ({
        ...{ host: {}, events: [] },
        ...(isClean ? { recover: plans } : { recover: null, release: plans }),
      }))
      const concerned = ({ enabled, leadsTo }: Source) => enabled && (isClean || leadsTo === LANE)
      const expected = [...before.values()].filter(concerned).map(({ id }) => id)
      assert.deepEqual(told.map(({ id }) => id).sort(), expected)
      const planned = new Map(rule(told, LIMITS, NOW).map(({ id, nextPollAt }) => [id, nextPollAt]))
      for (const after of (await store.listSources({ podcastId: null, ...ALL })).items) {
        const was = before.get(after.id)
        assert.ok(was)
        const isPlanned = planned.has(after.id)
        const { disabledReason: _, ...health } = GOOD_HEALTH
        const clean = isClean && isPlanned ? health : {}
        assert.deepEqual(after, { ...was, ...clean, nextPollAt: isPlanned ? planned.get(after.id) : was.nextPollAt })
      }
    })
    await fc.assert(property, { numRuns: 40 })
  })
}
