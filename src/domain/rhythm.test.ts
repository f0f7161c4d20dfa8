import assert from 'node:assert/strict'
import { test } from 'node:test'
import { choose } from './choose.ts'
import type { Candidate, KnownEntry } from './post.ts'
import { type Gap, gapOf, newRhythm, publicationsOf, quietSince, rhythmAfter, rhythmOfHistory } from './rhythm.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from './schedule.ts'
import type { Rhythm } from './source.ts'

const NOW = Date.parse('2026-02-17T10:00:00Z')

function candidate(n: number, publishedAt: number | null, given: Partial<Candidate> = {}): Candidate {
  const text = { title: `Title ${n}`, body: `Body ${n}`, url: `https://a.example/${n}`, author: null }
  return { ...text, publishedAt, guid: `g${n}`, categories: [], contentHash: `h${n}`, ...given }
}

/** One post a poll, at these instants. */
function published(instants: readonly (number | null)[], from = newRhythm(NOW - 100 * DAY_MS)): Rhythm {
  return instants.reduce<Rhythm>(
    (rhythm, at) => rhythmAfter(rhythm, { posts: [at], earlier: [], documentEntries: 10 }, 1, at ?? NOW),
    from,
  )
}

const every = (gapMs: number, count: number, last = NOW): number[] =>
  Array.from({ length: count }, (_, index) => last - (count - 1 - index) * gapMs)

test('a source with frequent posts is quiet after seven days without one', () => {
  const rhythm = published(every(HOUR_MS, 10))
  assert.equal(quietSince(rhythm, NOW + 7 * DAY_MS), null)
  assert.equal(quietSince(rhythm, NOW + 7 * DAY_MS + 1), NOW + 7 * DAY_MS)
  assert.equal(quietSince(rhythm, NOW + 70 * DAY_MS), NOW + 7 * DAY_MS)
})

test('a source with long gaps is quiet after four times the longest of them', () => {
  const rhythm = published([...every(DAY_MS, 5, NOW - 5 * DAY_MS), NOW])
  assert.equal(quietSince(rhythm, NOW + 20 * DAY_MS), null)
  assert.equal(quietSince(rhythm, NOW + 20 * DAY_MS + 1), NOW + 20 * DAY_MS)
})

test('only the last 20 gaps count', () => {
  const before = NOW - 20 * DAY_MS
  const rhythm = published([...every(DAY_MS, 5, before - 29 * DAY_MS), ...every(DAY_MS, 20, before)])
  assert.equal(quietSince(rhythm, NOW + 70 * DAY_MS), before + 40 * DAY_MS)
  const older = published(every(DAY_MS, 1, before + DAY_MS), rhythm)
  assert.equal(quietSince(older, NOW + 70 * DAY_MS), before + DAY_MS + 7 * DAY_MS)
})

test('posts that come together do not push the gaps between such days out of the last 20', () => {
  const burst = (day: number) => every(MINUTE_MS, 30, NOW - day * DAY_MS)
  const rhythm = published([...burst(14), ...burst(7), ...burst(0)])
  assert.equal(quietSince(rhythm, NOW + 27 * DAY_MS), null)
})

test('a source is never quiet before five of its entries were stored', () => {
  assert.equal(quietSince(published(every(HOUR_MS, 4)), NOW + 400 * DAY_MS), null)
  assert.notEqual(quietSince(published(every(HOUR_MS, 5)), NOW + 400 * DAY_MS), null)
})

test('entries that were too old to be stored tell of gaps, but are not counted as stored', () => {
  const earlier = every(20 * DAY_MS, 5, NOW - DAY_MS)
  const rhythm = rhythmAfter(newRhythm(NOW), { posts: [NOW], earlier, documentEntries: 6 }, 1, NOW)
  assert.equal(rhythm.stored, 1)
  assert.equal(Math.max(...rhythm.gapsMs), 20 * DAY_MS)
})

test('an entry that has stood in the feed for years does not make its silence normal', () => {
  const found = { posts: every(HOUR_MS, 5), earlier: [NOW - 1000 * DAY_MS], documentEntries: 6 }
  assert.equal(quietSince(rhythmAfter(newRhythm(NOW), found, 5, NOW), NOW + 8 * DAY_MS), NOW + 7 * DAY_MS)
})

test('an entry without a date counts as published when it was found, and one from the future as published now', () => {
  const rhythm = rhythmAfter(newRhythm(NOW), { posts: [null, NOW + DAY_MS], earlier: [], documentEntries: 2 }, 2, NOW)
  assert.equal(rhythm.lastPublishedAt, NOW)
  assert.deepEqual([rhythm.stored, rhythm.dated], [2, 1])
})

test('entries that were too old to be stored are evidence too, each once, however old they are', () => {
  const old = every(DAY_MS, 6, NOW - 400 * DAY_MS)
  const seen = { posts: [], earlier: old, documentEntries: 6 }
  const once = rhythmAfter(newRhythm(NOW), seen, 0, NOW)
  const twice = rhythmAfter(once, seen, 0, NOW)
  for (const { stored, dated, lastPublishedAt } of [once, twice]) {
    assert.deepEqual([stored, dated, lastPublishedAt], [0, 6, old.at(-1)])
  }
  const recent = rhythmAfter(newRhythm(NOW), { ...seen, earlier: [...old, NOW - DAY_MS] }, 0, NOW)
  assert.deepEqual([recent.dated, recent.gapsMs], [1, []])
})

test('what the store knows of an older source tells its rhythm, and that it has gone quiet', () => {
  const published = every(DAY_MS, 10, NOW - 40 * DAY_MS).reverse()
  const history = { firstSucceededAt: NOW - 60 * DAY_MS, stored: 10, published, foundAt: [] }
  const rhythm = rhythmOfHistory(history, NOW)
  assert.deepEqual([rhythm.stored, rhythm.dated, rhythm.gapsMs.length], [10, 10, 9])
  assert.equal(quietSince(rhythm, NOW), NOW - 33 * DAY_MS)
  const undated = rhythmOfHistory({ ...history, published: [], foundAt: published }, NOW)
  assert.deepEqual([undated.dated, undated.gapsMs], [0, rhythm.gapsMs])
  assert.equal(quietSince(undated, NOW), quietSince(rhythm, NOW))
  assert.equal(quietSince(rhythmOfHistory({ ...history, stored: 4 }, NOW), NOW), null)
})

test('a rhythm stays small', () => {
  const rhythm = published(every(90 * MINUTE_MS, 500))
  assert.ok(JSON.stringify(rhythm).length < 1000)
})

interface Document {
  readonly candidates: readonly Candidate[]
  readonly known?: readonly KnownEntry[]
  readonly categoryFilter?: string
  readonly isFirst?: boolean
}

function gapIn({ candidates, known = [], categoryFilter, isFirst = false }: Document): Gap | null {
  const before = { lastSeenId: new Date(NOW - DAY_MS).toISOString(), lastSucceededAt: NOW - 12 * HOUR_MS }
  const source = {
    ...(isFirst ? { lastSeenId: null, lastSucceededAt: null } : before),
    ...{ createdAt: NOW - 30 * DAY_MS, backfillDays: 0, categoryFilter: categoryFilter ?? null },
  }
  const rules = { newEntries: 'by-date', maxArticleAgeDays: 7, lateArrivalHours: 0, startedAt: NOW } as const
  return gapOf(candidates, choose(candidates, known, source, rules), source, NOW)
}

const allNew = [1, 2, 3, 4, 5].map((n) => candidate(n, NOW - n * HOUR_MS))

test('a document of five entries, all of them new, is a gap, and an interval up to the oldest would have done', () => {
  assert.deepEqual(gapIn({ candidates: allNew }), { intervalMinutes: 300 })
})

test('there is no gap on the first poll, with fewer entries, or with one that is known or has no date', () => {
  assert.equal(gapIn({ candidates: allNew, isFirst: true }), null)
  assert.equal(gapIn({ candidates: allNew.slice(1) }), null)
  assert.equal(gapIn({ candidates: [...allNew, candidate(6, null)] }), null)
  assert.equal(gapIn({ candidates: [...allNew, candidate(6, NOW - DAY_MS)] }), null)
  const edited = { guid: 'g1', contentHash: 'other', url: '', publishedAt: NOW - HOUR_MS }
  assert.equal(gapIn({ candidates: allNew, known: [edited] }), null)
})

test('entries that a filter drops count as new only if they came after the poll before', () => {
  const other = (n: number, at: number) => candidate(n, at, { categories: ['sport'] })
  const recent = [...allNew, other(6, NOW - 11 * HOUR_MS)]
  assert.notEqual(gapIn({ candidates: recent, categoryFilter: 'politics' }), null)
  assert.equal(gapIn({ candidates: [...allNew, other(6, NOW - 13 * HOUR_MS)], categoryFilter: 'politics' }), null)
})

test('what a document adds to the rhythm: its new posts, and entries dropped for their age', () => {
  const source = { lastSeenId: null, lastSucceededAt: null, createdAt: NOW, backfillDays: 1, categoryFilter: null }
  const rules = { newEntries: 'by-date', maxArticleAgeDays: 7, lateArrivalHours: 0, startedAt: NOW } as const
  const candidates = [candidate(1, NOW - HOUR_MS), candidate(2, NOW - 3 * DAY_MS), candidate(3, NOW - 30 * DAY_MS)]
  assert.deepEqual(publicationsOf(candidates, choose(candidates, [], source, rules)), {
    posts: [NOW - HOUR_MS],
    earlier: [NOW - 3 * DAY_MS, NOW - 30 * DAY_MS],
    documentEntries: 3,
  })
})
