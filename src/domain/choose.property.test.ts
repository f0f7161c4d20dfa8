// What holds for every document, every history and every setting. Values come from small sets on purpose:
// bodies, guids, urls and dates must meet again for the rules to have something to decide.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type ChoosingRules, type ChoosingSource, choose } from './choose.ts'
import type { Candidate, KnownEntry } from './post.ts'
import { DAY_MS, HOUR_MS } from './schedule.ts'

const NOW = Date.parse('2026-02-18T10:00:00Z')
const dates = fc.constantFrom(
  ...[-30 * DAY_MS, -8 * DAY_MS, -7 * DAY_MS, -2 * DAY_MS, -DAY_MS, -5 * HOUR_MS, -HOUR_MS, -1, 0, 1, DAY_MS].map(
    (offset) => NOW + offset,
  ),
  Date.parse('2099-01-01T00:00:00Z'),
)
const bodies = fc.constantFrom('', 'a', 'b', 'c', 'd', 'e')

const candidates: fc.Arbitrary<Candidate> = fc
  .record({
    title: fc.constantFrom('', 'Title'),
    body: bodies,
    url: fc.constantFrom('https://a.example/1', 'https://a.example/2', 'https://a.example/3'),
    publishedAt: fc.option(dates),
    author: fc.constant(null),
    guid: fc.option(fc.constantFrom('g1', 'g2', 'g3', 'g4')),
    categories: fc.subarray(['AI', 'Sport']),
  })
  .map((found) => ({ ...found, contentHash: `sha256 of ${found.body}` }))

const known: fc.Arbitrary<KnownEntry> = candidates.map(({ guid, contentHash, url, publishedAt }) => ({
  guid,
  contentHash,
  url,
  publishedAt,
}))
const sources: fc.Arbitrary<ChoosingSource> = fc.record({
  lastSeenId: fc.option(dates.map((at) => new Date(at).toISOString())),
  choosesAsFirst: fc.boolean(),
  lastSucceededAt: fc.option(dates),
  createdAt: dates,
  backfillDays: fc.constantFrom(0, 2, 365),
  categoryFilter: fc.constantFrom(null, 'ai', 'sport, ai'),
})
const rules: fc.Arbitrary<ChoosingRules> = fc.record({
  newEntries: fc.constantFrom('by-date', 'by-date', 'by-hash', 'by-mark'),
  maxArticleAgeDays: fc.constantFrom(1, 7, 90),
  lateArrivalHours: fc.constantFrom(0, 0, 6, 48),
  startedAt: fc.constant(NOW),
})
const documents = fc.array(candidates, { maxLength: 8 })
const memories = fc.array(known, { maxLength: 5 })
const RUNS = { numRuns: 1000 }

test('found is what became a post plus what was dropped, each candidate once', () => {
  fc.assert(
    fc.property(documents, memories, sources, rules, (document, memory, source, rule) => {
      const { posts, dropped } = choose(document, memory, source, rule)
      const seen = [...posts, ...dropped.map((each) => each.candidate)]
      assert.equal(seen.length, document.length)
      assert.deepEqual(new Set(seen), new Set(document))
    }),
    RUNS,
  )
})

test('no two posts share a body, and none has a body that is known', () => {
  fc.assert(
    fc.property(documents, memories, sources, rules, (document, memory, source, rule) => {
      const { posts } = choose(document, memory, source, rule)
      const hashes = posts.map((post) => post.contentHash)
      assert.equal(new Set(hashes).size, hashes.length)
      assert.ok(memory.every((entry) => !hashes.includes(entry.contentHash)))
    }),
    RUNS,
  )
})

test('the same document again stores nothing, however much later, and even after the clock was set back', () => {
  const later = fc.constantFrom(0, 1, HOUR_MS, 3 * DAY_MS, 365 * DAY_MS, -HOUR_MS, -9 * DAY_MS)
  fc.assert(
    fc.property(documents, memories, sources, rules, later, (document, memory, source, rule, passed) => {
      const first = choose(document, memory, source, rule)
      const remembered = [...memory, ...first.posts, ...first.tombstones]
      const now = { ...source, lastSeenId: first.lastSeenId, lastSucceededAt: NOW }
      const second = choose(document, remembered, now, { ...rule, startedAt: NOW + passed })
      assert.deepEqual(second.posts, [])
    }),
    RUNS,
  )
})

test('over any sequence of documents no body is stored twice, and lastSeenId never moves back nor past the start', () => {
  const polls = fc.array(fc.tuple(documents, fc.integer({ min: 0, max: 3 * DAY_MS })), { maxLength: 6 })
  fc.assert(
    fc.property(polls, rules, fc.constantFrom(null, 'ai'), (history, rule, categoryFilter) => {
      let source: ChoosingSource = {
        lastSeenId: null,
        lastSucceededAt: null,
        createdAt: NOW - 2 * DAY_MS,
        backfillDays: 0,
        categoryFilter,
      }
      const memory: KnownEntry[] = []
      const everStored: string[] = []
      let startedAt = NOW - 5 * DAY_MS
      for (const [document, passed] of history) {
        startedAt += passed
        const chosen = choose(document, memory, source, { ...rule, startedAt })
        memory.push(...chosen.posts, ...chosen.tombstones)
        everStored.push(...chosen.posts.map((post) => post.contentHash))
        if (chosen.lastSeenId !== null) {
          assert.ok(Date.parse(chosen.lastSeenId) <= startedAt)
          assert.ok(chosen.lastSeenId >= (source.lastSeenId ?? ''))
        }
        source = { ...source, lastSeenId: chosen.lastSeenId, lastSucceededAt: startedAt }
      }
      assert.equal(new Set(everStored).size, everStored.length)
    }),
    RUNS,
  )
})

test('lastSeenId of a feed is the newest instant read and not filtered, no later than the start', () => {
  fc.assert(
    fc.property(documents, memories, sources, rules, (document, memory, source, rule) => {
      const { dropped, lastSeenId } = choose(document, memory, source, rule)
      if (rule.newEntries !== 'by-date') return assert.equal(lastSeenId, source.lastSeenId)
      const filtered = new Set(dropped.filter((each) => each.rule === 'filtered').map((each) => each.candidate))
      const read = document
        .filter((candidate) => !filtered.has(candidate))
        .flatMap((candidate) => (candidate.publishedAt === null ? [] : [Math.min(candidate.publishedAt, NOW)]))
      const before = source.lastSeenId === null ? [] : [Date.parse(source.lastSeenId)]
      const newest = Math.max(...before, ...read)
      assert.equal(lastSeenId, Number.isFinite(newest) ? new Date(newest).toISOString() : null)
    }),
    RUNS,
  )
})

test('an undated entry is never dropped for its age', () => {
  fc.assert(
    fc.property(documents, memories, sources, rules, (document, memory, source, rule) => {
      const { dropped } = choose(document, memory, source, rule)
      for (const { candidate, rule: by } of dropped) {
        if (candidate.publishedAt !== null) continue
        assert.ok(['unreadable', 'filtered', 'edited', 'duplicate'].includes(by))
      }
    }),
    RUNS,
  )
})

test('pages drop by rules 1 and 7 only, posts of X by 1, 4, 5 and 7', () => {
  const allowed = {
    'by-hash': ['unreadable', 'duplicate'],
    'by-mark': ['unreadable', 'tooOld', 'beforeCreated', 'duplicate'],
  }
  fc.assert(
    fc.property(documents, memories, sources, rules, (document, memory, source, rule) => {
      if (rule.newEntries === 'by-date') return
      const { dropped } = choose(document, memory, source, rule)
      const { newEntries } = rule
      assert.ok(dropped.every((each) => allowed[newEntries].includes(each.rule)))
    }),
    RUNS,
  )
})

test('what was dropped for its age is remembered, by a tombstone or because its body is known already', () => {
  fc.assert(
    fc.property(documents, memories, sources, rules, (document, memory, source, rule) => {
      const { posts, dropped, tombstones } = choose(document, memory, source, rule)
      const remembered = new Set([...memory, ...posts, ...tombstones].map((entry) => entry.contentHash))
      const aged = dropped.filter((each) => each.rule === 'tooOld' || each.rule === 'beforeCreated')
      assert.ok(aged.every((each) => remembered.has(each.candidate.contentHash)))
      const reasons = new Set(aged.map((each) => each.candidate.contentHash))
      assert.ok(tombstones.every((entry) => reasons.has(entry.contentHash)))
    }),
    RUNS,
  )
})

test('the order of a document decides no more than which of two equal bodies is taken', () => {
  fc.assert(
    fc.property(documents, memories, sources, rules, (document, memory, source, rule) => {
      const there = choose(document, memory, source, rule)
      const back = choose(document.toReversed(), memory, source, rule)
      const hashes = (chosen: typeof there): string[] => chosen.posts.map((post) => post.contentHash).sort()
      assert.deepEqual(hashes(there), hashes(back))
      assert.equal(there.lastSeenId, back.lastSeenId)
    }),
    RUNS,
  )
})

test('posts come oldest first', () => {
  fc.assert(
    fc.property(documents, sources, rules, (document, source, rule) => {
      const instants = choose(document, [], source, rule).posts.map((post) => post.publishedAt ?? -Infinity)
      assert.deepEqual(
        instants,
        instants.toSorted((a, b) => (a === b ? 0 : a - b)),
      )
    }),
    RUNS,
  )
})
