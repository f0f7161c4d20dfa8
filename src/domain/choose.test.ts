import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChoosingRules, type ChoosingSource, type Chosen, choose } from './choose.ts'
import type { SkipRule } from './outcome.ts'
import type { Candidate, KnownEntry } from './post.ts'
import { DAY_MS, HOUR_MS } from './schedule.ts'

const CREATED = Date.parse('2026-02-17T10:00:00Z')
const NOW = Date.parse('2026-02-18T10:00:00Z')
const at = (iso: string): number => Date.parse(iso)

/** A source that was polled successfully before and has seen nothing yet. */
const SOURCE: ChoosingSource = {
  lastSeenId: null,
  lastSucceededAt: CREATED,
  createdAt: CREATED,
  backfillDays: 0,
  categoryFilter: null,
}
const NEW_SOURCE: ChoosingSource = { ...SOURCE, lastSucceededAt: null }
const FEED: ChoosingRules = { newEntries: 'by-date', maxArticleAgeDays: 7, lateArrivalHours: 0, startedAt: NOW }

function entry(body: string, over: Partial<Candidate> = {}): Candidate {
  return {
    title: `About ${body}`,
    body,
    url: `https://a.example/${body}`,
    publishedAt: NOW - HOUR_MS,
    author: null,
    guid: `guid of ${body}`,
    categories: [],
    contentHash: `sha256 of ${body}`,
    ...over,
  }
}

const stored = (chosen: Chosen): string[] => chosen.posts.map((post) => post.body)
const rulesOf = (chosen: Chosen): SkipRule[] => chosen.dropped.map((each) => each.rule)

test('3 entries published after the last-seen timestamp become 3 posts, oldest first', () => {
  const source = { ...SOURCE, lastSeenId: '2026-02-18T06:00:00.000Z' }
  const document = ['c', 'b', 'a'].map((body, index) => entry(body, { publishedAt: NOW - (index + 1) * HOUR_MS }))
  const chosen = choose(document, [], source, FEED)
  assert.deepEqual(stored(chosen), ['a', 'b', 'c'])
  assert.equal(chosen.lastSeenId, '2026-02-18T09:00:00.000Z')
})

test('without entries published after the last-seen timestamp there are no posts', () => {
  const source = { ...SOURCE, lastSeenId: '2026-02-18T09:30:00.000Z' }
  const old = entry('old')
  const chosen = choose([old, entry('older', { publishedAt: NOW - 2 * HOUR_MS })], [old], source, FEED)
  assert.deepEqual(stored(chosen), [])
  assert.deepEqual(rulesOf(chosen), ['notNew', 'late'])
  assert.equal(chosen.lastSeenId, source.lastSeenId)
})

test('identical content from different polls is stored once', () => {
  const first = choose([entry('same')], [], SOURCE, FEED)
  const again = entry('same', { guid: 'another', url: 'https://a.example/again', publishedAt: NOW })
  const second = choose([again], first.posts, { ...SOURCE, lastSeenId: first.lastSeenId }, FEED)
  assert.deepEqual(rulesOf(second), ['duplicate'])
})

test('identical content twice in one document is stored once', () => {
  const chosen = choose([entry('same'), entry('same', { guid: 'another' })], [], SOURCE, FEED)
  assert.deepEqual(stored(chosen), ['same'])
  assert.deepEqual(rulesOf(chosen), ['duplicate'])
})

test('a post older than the maximum age is skipped, and one of exactly that age is not', () => {
  const limit = NOW - 7 * DAY_MS
  const document = [entry('old', { publishedAt: limit - 1 }), entry('fits', { publishedAt: limit })]
  const chosen = choose(document, [], SOURCE, FEED)
  assert.deepEqual(stored(chosen), ['fits'])
  assert.deepEqual(rulesOf(chosen), ['tooOld'])
})

test('a post with null publishedAt is saved, also on the first poll', () => {
  for (const source of [SOURCE, NEW_SOURCE]) {
    assert.deepEqual(stored(choose([entry('undated', { publishedAt: null })], [], source, FEED)), ['undated'])
  }
})

test('the first poll of a source made 2026-02-17T10:00Z skips a post of 2026-02-15T08:00Z', () => {
  const chosen = choose([entry('history', { publishedAt: at('2026-02-15T08:00:00Z') })], [], NEW_SOURCE, FEED)
  assert.deepEqual(rulesOf(chosen), ['beforeCreated'])
})

test('the first poll of a source made 2026-02-17T10:00Z accepts a post of 2026-02-17T12:00Z', () => {
  const chosen = choose([entry('recent', { publishedAt: at('2026-02-17T12:00:00Z') })], [], NEW_SOURCE, FEED)
  assert.deepEqual(stored(chosen), ['recent'])
})

test('later polls ignore createdAt: a post of 2026-02-16T08:00Z is subject to the maximum age only', () => {
  const late = entry('older than the source', { publishedAt: at('2026-02-16T08:00:00Z') })
  assert.deepEqual(stored(choose([late], [], SOURCE, FEED)), ['older than the source'])
})

test('backfillDays lets the first poll reach back before createdAt, to the instant', () => {
  const source = { ...NEW_SOURCE, backfillDays: 2 }
  const reach = CREATED - 2 * DAY_MS
  const document = [entry('in reach', { publishedAt: reach }), entry('beyond', { publishedAt: reach - 1 })]
  assert.deepEqual(stored(choose(document, [], source, FEED)), ['in reach'])
})

test('history skipped by the first poll does not return with the second, not even its newest entry', () => {
  const history = [1, 2, 3].map((days) => entry(`${days} days before`, { publishedAt: CREATED - days * DAY_MS }))
  const first = choose(history, [], NEW_SOURCE, FEED)
  assert.deepEqual(rulesOf(first), ['beforeCreated', 'beforeCreated', 'beforeCreated'])
  assert.equal(first.tombstones.length, 3)
  assert.equal(first.lastSeenId, new Date(CREATED - DAY_MS).toISOString())
  const second = choose(history, first.tombstones, { ...SOURCE, lastSeenId: first.lastSeenId }, FEED)
  assert.deepEqual(rulesOf(second), ['duplicate', 'notNew', 'notNew'])
})

test('two posts of one date-only day are both kept, although the second comes a poll later', () => {
  const day = at('2026-02-18T00:00:00Z')
  const morning = entry('morning', { publishedAt: day })
  const first = choose([morning], [], SOURCE, FEED)
  const source = { ...SOURCE, lastSeenId: first.lastSeenId }
  const second = choose([entry('evening', { publishedAt: day }), morning], first.posts, source, FEED)
  assert.deepEqual(stored(second), ['evening'])
  assert.deepEqual(rulesOf(second), ['duplicate'])
})

test('one entry dated 2099 does not silence a feed', () => {
  const future = entry('future', { publishedAt: at('2099-01-01T00:00:00Z') })
  const first = choose([future], [], SOURCE, FEED)
  assert.deepEqual(stored(first), ['future'])
  assert.equal(first.lastSeenId, new Date(NOW).toISOString())
  const later = { ...FEED, startedAt: NOW + HOUR_MS }
  const fresh = entry('fresh', { publishedAt: NOW + HOUR_MS / 2 })
  const second = choose([future, fresh], first.posts, { ...SOURCE, lastSeenId: first.lastSeenId }, later)
  assert.deepEqual(stored(second), ['fresh'])
})

test('lastSeenId goes by what was read, whatever rule dropped it, except what the filter dropped', () => {
  const source = { ...SOURCE, categoryFilter: 'ai' }
  const filtered = entry('sport', { categories: ['Sport'], publishedAt: NOW - 1 })
  const unreadable = entry('', { title: '', publishedAt: NOW - HOUR_MS })
  const chosen = choose([filtered, unreadable], [], source, FEED)
  assert.deepEqual(rulesOf(chosen), ['filtered', 'unreadable'])
  assert.equal(chosen.lastSeenId, new Date(NOW - HOUR_MS).toISOString())
  const tooOld = choose([entry('old', { publishedAt: NOW - 30 * DAY_MS })], [], SOURCE, FEED)
  assert.equal(tooOld.lastSeenId, new Date(NOW - 30 * DAY_MS).toISOString())
})

test('lastSeenId does not move back when a document is older, empty, or the clock was set back', () => {
  const source = { ...SOURCE, lastSeenId: '2026-02-18T09:30:00.000Z' }
  assert.equal(choose([], [], source, FEED).lastSeenId, source.lastSeenId)
  assert.equal(choose([entry('older')], [], source, FEED).lastSeenId, source.lastSeenId)
  const before = { ...FEED, startedAt: NOW - DAY_MS }
  assert.equal(choose([entry('any', { publishedAt: NOW })], [], source, before).lastSeenId, source.lastSeenId)
})

test('an entry published out of order and never seen is counted late', () => {
  const source = { ...SOURCE, lastSeenId: new Date(NOW).toISOString() }
  const known = entry('known')
  assert.deepEqual(rulesOf(choose([entry('unknown')], [known], source, FEED)), ['late'])
  const sameGuid = entry('edited', { guid: known.guid })
  const sameBody = entry('known', { guid: null })
  assert.deepEqual(rulesOf(choose([sameGuid, sameBody], [known], source, FEED)), ['notNew', 'notNew'])
})

test('late-arrival-hours lets entries published out of order through, as far back as it says', () => {
  const source = { ...SOURCE, lastSeenId: new Date(NOW).toISOString() }
  const rules = { ...FEED, lateArrivalHours: 6 }
  const known = entry('known')
  const document = [
    entry('late', { publishedAt: NOW - 6 * HOUR_MS }),
    entry('too late', { publishedAt: NOW - 6 * HOUR_MS - 1 }),
    known,
    entry('known, edited', { guid: known.guid }),
  ]
  const chosen = choose(document.slice(0, 3), [known], source, rules)
  assert.deepEqual(stored(chosen), ['late'])
  assert.deepEqual(rulesOf(chosen), ['late', 'duplicate'])
  assert.deepEqual(rulesOf(choose(document.slice(3), [known], source, rules)), ['edited'])
})

test('an edited entry keeps the stored post: same guid, same date or a missing one', () => {
  const known = entry('first version')
  for (const publishedAt of [known.publishedAt, null]) {
    const edit = entry('second version', { guid: known.guid, publishedAt })
    assert.deepEqual(rulesOf(choose([edit], [known], SOURCE, FEED)), ['edited'])
  }
  const dated = entry('second version', { guid: known.guid })
  assert.deepEqual(rulesOf(choose([dated], [{ ...known, publishedAt: null }], SOURCE, FEED)), ['edited'])
})

test('the same guid under another date is another entry', () => {
  const known = entry('Monday')
  const next = entry('Tuesday', { guid: known.guid, publishedAt: NOW })
  assert.deepEqual(stored(choose([next], [known], SOURCE, FEED)), ['Tuesday'])
})

test('a guid that stands twice in its document identifies nothing', () => {
  const known = entry('known', { guid: 'always the same' })
  const document = ['one', 'two'].map((body) => entry(body, { guid: 'always the same' }))
  assert.deepEqual(stored(choose(document, [known], SOURCE, FEED)).sort(), ['one', 'two'])
})

test('without a guid an edit is known by its url and an equal date present on both', () => {
  const known = entry('first version', { guid: null })
  const edit = entry('second version', { guid: null, url: known.url })
  assert.deepEqual(rulesOf(choose([edit], [known], SOURCE, FEED)), ['edited'])
  const redated = { ...edit, publishedAt: NOW }
  assert.deepEqual(stored(choose([redated], [known], SOURCE, FEED)), ['second version'])
  const undated = { ...edit, publishedAt: null }
  assert.deepEqual(stored(choose([undated], [{ ...known, publishedAt: null }], SOURCE, FEED)), ['second version'])
  const sameUrl = entry('third', { guid: null, url: known.url })
  assert.deepEqual(stored(choose([edit, sameUrl], [known], SOURCE, FEED)).length, 2)
})

test('an edit into a body that another entry has is an edit still: rule 6 comes before rule 7', () => {
  const known = [entry('mine'), entry('yours')]
  const edit = entry('yours', { guid: 'guid of mine' })
  assert.deepEqual(rulesOf(choose([edit], known, SOURCE, FEED)), ['edited'])
})

test('an entry that is known in two versions is a duplicate in either', () => {
  const known = [entry('one', { guid: 'g' }), entry('two', { guid: 'g' })]
  for (const body of ['one', 'two']) {
    assert.deepEqual(rulesOf(choose([entry(body, { guid: 'g' })], known, SOURCE, FEED)), ['duplicate'])
  }
})

test('an entry without title and body is unreadable; one of them is enough', () => {
  const blank = entry(' \n', { title: ' ' })
  const whole = [entry('', { title: 'Only a title' }), entry('only a body', { title: '' })]
  const chosen = choose([entry('', { title: '' }), blank, ...whole], [], SOURCE, FEED)
  assert.deepEqual(rulesOf(chosen), ['unreadable', 'unreadable'])
  assert.equal(chosen.posts.length, 2)
})

test('an entry passes the category filter when any term is in any of its categories, or when it has none', () => {
  const source = { ...SOURCE, categoryFilter: ' AI , machine learning,, ' }
  const document = [
    entry('by case', { categories: ['OpenAI'] }),
    entry('by second term', { categories: ['Sport', 'Machine Learning News'] }),
    entry('without categories'),
    entry('other', { categories: ['Sport', 'Politics'] }),
  ]
  const chosen = choose(document, [], source, FEED)
  assert.deepEqual(stored(chosen).sort(), ['by case', 'by second term', 'without categories'])
  assert.deepEqual(rulesOf(chosen), ['filtered'])
})

test('a filter without terms filters nothing', () => {
  for (const categoryFilter of [null, '', ' , ']) {
    const chosen = choose([entry('any', { categories: ['Sport'] })], [], { ...SOURCE, categoryFilter }, FEED)
    assert.deepEqual(stored(chosen), ['any'])
  }
})

test('an old entry does not make a fresh one with the same body a duplicate, whichever comes first', () => {
  const document = [entry('weekly thread', { publishedAt: NOW - 8 * DAY_MS, guid: 'old' }), entry('weekly thread')]
  for (const order of [document, document.toReversed()]) {
    const chosen = choose(order, [], SOURCE, FEED)
    assert.equal(chosen.posts[0]?.guid, 'guid of weekly thread')
    assert.deepEqual(rulesOf(chosen), ['tooOld'])
    assert.deepEqual(chosen.tombstones, [])
  }
})

test('what is known already leaves no second tombstone', () => {
  const old = entry('old', { publishedAt: NOW - 8 * DAY_MS })
  assert.deepEqual(choose([old], [old], SOURCE, FEED).tombstones, [])
})

test('posts come oldest first, undated ones before the dated and in the order of their appearance', () => {
  const document = [
    entry('newest', { publishedAt: NOW }),
    entry('undated, newer', { publishedAt: null }),
    entry('undated, older', { publishedAt: null }),
    entry('from before 1970', { publishedAt: -1000 }),
  ]
  const chosen = choose(document, [], SOURCE, { ...FEED, maxArticleAgeDays: 100_000 })
  assert.deepEqual(stored(chosen), ['undated, older', 'undated, newer', 'from before 1970', 'newest'])
})

const PAGE: ChoosingRules = { ...FEED, newEntries: 'by-hash' }

test('new content of a page becomes a post; unchanged content does not', () => {
  const page = entry('text of the page', { guid: null, publishedAt: null, url: 'https://a.example/' })
  assert.deepEqual(stored(choose([page], [], SOURCE, PAGE)), ['text of the page'])
  assert.deepEqual(rulesOf(choose([page], [page], SOURCE, PAGE)), ['duplicate'])
  const changed = entry('new text', { guid: null, publishedAt: null, url: page.url })
  assert.deepEqual(stored(choose([changed], [page], SOURCE, PAGE)), ['new text'])
})

test('a page knows neither filter nor age nor edits, and no lastSeenId', () => {
  const source = { ...NEW_SOURCE, categoryFilter: 'ai' }
  const ancient = entry('ancient', { publishedAt: 0, categories: ['Sport'], guid: 'g' })
  const known: KnownEntry = { ...ancient, contentHash: 'another' }
  const chosen = choose([ancient], [known], source, PAGE)
  assert.deepEqual(stored(chosen), ['ancient'])
  assert.equal(chosen.lastSeenId, null)
  assert.deepEqual(rulesOf(choose([entry('', { title: '' })], [], source, PAGE)), ['unreadable'])
})

const X: ChoosingRules = { ...FEED, newEntries: 'by-mark' }

test('posts of X know age, first poll and duplicates, and leave lastSeenId to their reader', () => {
  const source = { ...NEW_SOURCE, lastSeenId: '17:1790000000000000000', categoryFilter: 'ai' }
  const document = [
    entry('new', { categories: ['Sport'] }),
    entry('new', { guid: 'again' }),
    entry('old', { publishedAt: NOW - 8 * DAY_MS }),
    entry('before', { publishedAt: CREATED - 1 }),
    entry('', { title: '' }),
  ]
  const chosen = choose(document, [], source, X)
  assert.deepEqual(stored(chosen), ['new'])
  assert.deepEqual(rulesOf(chosen), ['duplicate', 'tooOld', 'beforeCreated', 'unreadable'])
  assert.equal(chosen.lastSeenId, source.lastSeenId)
})

test('posts of X are never edited nor notNew, even if lastSeenId looks like a date', () => {
  const known = entry('first')
  const source = { ...SOURCE, lastSeenId: '2026-02-18T09:59:00.000Z' }
  assert.deepEqual(stored(choose([entry('second', { guid: known.guid })], [known], source, X)), ['second'])
})
