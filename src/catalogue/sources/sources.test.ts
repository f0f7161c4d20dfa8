import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { tempCatalogue } from '../../../test/support/catalogue.ts'
import { Problem } from '../../domain/problem.ts'
import type { SourceState } from '../../domain/source.ts'

const MINUTE = 60_000
const FEED = { type: 'rss', url: 'https://example.org/feed' } as const

const problem = (code: string, path?: string) => (error: unknown) =>
  error instanceof Problem && error.code === code && (path === undefined || error.errors.some((e) => e.path === path))

/** A source that has been failing for a while. */
function failing(now: number): Partial<SourceState> {
  return {
    lastPolled: now - 5 * MINUTE,
    lastSucceededAt: now - 90 * MINUTE,
    nextPollAt: now + 115 * MINUTE,
    consecutiveFailures: 2,
    permanentRun: ['404', '404'],
    lastFailureType: 'permanent',
    lastFailureReason: '404 Not Found',
    lastSeenId: '2026-02-16T00:00:00.000Z',
    validators: { etag: '"a"', lastModified: null },
    bodyHash: 'abc',
    freshUntil: now + MINUTE,
    retryAt: now + MINUTE,
    redirect: { url: 'https://example.org/new', seen: 1 },
  }
}

describe('sources of the catalogue', () => {
  it('a source starts without plan, poll or failure, and announces itself', async () => {
    await using catalogue = await tempCatalogue()
    const { id } = await catalogue.sources.create('default', { ...FEED, label: ' News ' })
    const row = await catalogue.row(id)
    assert.equal(row.label, 'News')
    assert.equal(row.nextPollAt, null)
    assert.equal(row.lastPolled, null)
    assert.equal(row.trusted, true)
    assert.equal(row.lane, 'example.org')
    assert.equal(catalogue.engine.tested.length, 0)
    const events = await catalogue.eventsOf(id)
    assert.deepEqual(
      events.map((event) => [event.type, event.userId, 'url' in event.data && event.data.url]),
      [['source.created', 'default', FEED.url]],
    )
  })

  it('credentials are sealed, hidden, and kept when the URL is sent back as it was returned', async () => {
    await using catalogue = await tempCatalogue()
    const made = await catalogue.sources.create('default', { type: 'rss', url: 'https://me:hush@example.org/feed' })
    assert.equal(made.url, 'https://example.org/feed')
    assert.equal(made.hasCredentials, true)
    const opened = async () => {
      const row = await catalogue.store.getSecret('source', made.id, 'url')
      return row && catalogue.secrets.open(row)
    }
    assert.equal(await opened(), 'me:hush')
    const put = await catalogue.sources.replace(made.id, made)
    assert.equal(put.hasCredentials, true)
    assert.equal(await opened(), 'me:hush')
    await catalogue.sources.update(made.id, { url: 'https://me:new@example.org/feed' })
    assert.equal(await opened(), 'me:new')
    const moved = await catalogue.sources.update(made.id, { url: 'https://example.org/other' })
    assert.equal(moved.hasCredentials, false)
    assert.equal(await opened(), null)
  })

  it('new credentials for the same URL are a new start', async () => {
    await using catalogue = await tempCatalogue()
    const { id } = await catalogue.sources.create('default', FEED)
    await catalogue.learned(id, failing(catalogue.clock.now()))
    await catalogue.sources.update(id, { url: 'https://me:right@example.org/feed' })
    const row = await catalogue.row(id)
    assert.equal(row.hasCredentials, true)
    assert.equal(row.consecutiveFailures, 0)
    assert.equal(row.nextPollAt, catalogue.clock.now())
    assert.equal(row.version, 2)
  })

  it('enabling clears the failure state and plans for now; disabling takes the plan away', async () => {
    await using catalogue = await tempCatalogue()
    const { id } = await catalogue.sources.create('default', FEED)
    const now = catalogue.clock.now()
    const disabledReason = 'Auto-disabled after 2 consecutive 404 errors'
    await catalogue.learned(id, { ...failing(now), enabled: false, nextPollAt: null, disabledReason })
    const enabled = await catalogue.sources.update(id, { enabled: true })
    assert.equal(enabled.consecutiveFailures, 0)
    assert.equal(enabled.lastFailureType, null)
    assert.equal(enabled.lastFailureReason, null)
    assert.equal(enabled.disabledReason, null)
    assert.deepEqual((await catalogue.row(id)).permanentRun, [])
    assert.equal(enabled.nextPollAt, new Date(now).toISOString())
    const disabled = await catalogue.sources.update(id, { enabled: false })
    assert.equal(disabled.nextPollAt, null)
    assert.equal(disabled.disabledReason, null)
    const types = (await catalogue.eventsOf(id)).map((event) => event.type)
    assert.deepEqual(types, ['source.created', 'source.enabled', 'source.disabled'])
  })

  it('another URL clears failures, validators and marks, and is due now', async () => {
    await using catalogue = await tempCatalogue()
    const { id } = await catalogue.sources.create('default', FEED)
    const now = catalogue.clock.now()
    await catalogue.learned(id, { ...failing(now), feedUrl: 'https://example.org/asked' })
    await catalogue.sources.update(id, { url: 'https://other.example/feed' })
    const row = await catalogue.row(id)
    const { consecutiveFailures, lastFailureType, lastFailureReason, lastSeenId, bodyHash, freshUntil } = row
    assert.deepEqual(
      { consecutiveFailures, lastFailureType, lastFailureReason, lastSeenId, bodyHash, freshUntil },
      {
        consecutiveFailures: 0,
        lastFailureType: null,
        lastFailureReason: null,
        lastSeenId: null,
        bodyHash: null,
        freshUntil: null,
      },
    )
    assert.deepEqual([row.retryAt, row.redirect, row.feedUrl], [null, null, null])
    assert.deepEqual(row.validators, { etag: null, lastModified: null })
    assert.deepEqual([row.host, row.lane, row.version], ['other.example', 'other.example', 2])
    assert.equal(row.nextPollAt, now)
    assert.equal(row.lastSucceededAt, now - 90 * MINUTE)
  })

  it('another type is as good as another URL', async () => {
    await using catalogue = await tempCatalogue()
    const { id } = await catalogue.sources.create('default', FEED)
    await catalogue.learned(id, failing(catalogue.clock.now()))
    const changed = await catalogue.sources.update(id, { type: 'website' })
    assert.equal(changed.consecutiveFailures, 0)
    assert.equal((await catalogue.row(id)).version, 2)
  })

  it('a change of nothing that matters leaves what was learned', async () => {
    await using catalogue = await tempCatalogue()
    const { id } = await catalogue.sources.create('default', FEED)
    await catalogue.learned(id, failing(catalogue.clock.now()))
    const before = await catalogue.row(id)
    await catalogue.sources.update(id, { label: 'New', url: `${FEED.url}#part` })
    assert.deepEqual(await catalogue.row(id), { ...before, label: 'New', url: `${FEED.url}#part` })
  })

  it('a disabled source stays disabled, unplanned and with its reason when its URL changes', async () => {
    await using catalogue = await tempCatalogue()
    const { id } = await catalogue.sources.create('default', FEED)
    await catalogue.learned(id, { enabled: false, disabledReason: 'Auto-disabled' })
    const changed = await catalogue.sources.update(id, { url: 'https://other.example/' })
    assert.deepEqual([changed.enabled, changed.nextPollAt, changed.disabledReason], [false, null, 'Auto-disabled'])
  })

  it('a change of the interval, the cap or freshness plans again', async () => {
    await using catalogue = await tempCatalogue()
    const { id } = await catalogue.sources.create('default', FEED)
    const now = catalogue.clock.now()
    await catalogue.learned(id, { lastPolled: now - 5 * MINUTE, nextPollAt: now + 25 * MINUTE })
    const at = (minutes: number) => new Date(now + minutes * MINUTE).toISOString()
    assert.equal((await catalogue.sources.update(id, { pollIntervalMinutes: 60 })).nextPollAt, at(55))
    await catalogue.learned(id, { consecutiveFailures: 3 })
    assert.equal((await catalogue.sources.update(id, { maxBackoffHours: 2 })).nextPollAt, at(115))
    await catalogue.learned(id, { consecutiveFailures: 0, freshUntil: now + 90 * MINUTE })
    assert.equal((await catalogue.sources.update(id, { pollIntervalMinutes: 10 })).nextPollAt, at(90))
    assert.equal((await catalogue.sources.update(id, { honourFreshness: false })).nextPollAt, at(5))
  })

  it('what choosing goes by makes the same document be read again', async () => {
    await using catalogue = await tempCatalogue()
    const { id } = await catalogue.sources.create('default', FEED)
    const read = { bodyHash: 'abc', validators: { etag: '"a"', lastModified: null } }
    const other = await catalogue.podcasts.create('default', { name: 'Other' })
    const forgetting: (() => Promise<unknown>)[] = [
      () => catalogue.sources.update(id, { categoryFilter: 'news' }),
      () => catalogue.sources.update(id, { backfillDays: 3 }),
      () => catalogue.podcasts.update('default', { maxArticleAgeDays: 30 }),
      () => catalogue.sources.update(id, { podcastId: other.id }),
    ]
    for (const change of forgetting) {
      await catalogue.learned(id, read)
      await change()
      const { bodyHash, validators } = await catalogue.row(id)
      assert.deepEqual({ bodyHash, validators }, { bodyHash: null, validators: { etag: null, lastModified: null } })
    }
    await catalogue.learned(id, read)
    await catalogue.podcasts.update(other.id, { name: 'Renamed' })
    assert.equal((await catalogue.row(id)).bodyHash, 'abc')
  })

  it('only a raised backfill makes the next poll choose like a first one, and the result of a poll under way count for nothing', async () => {
    await using catalogue = await tempCatalogue()
    const { id } = await catalogue.sources.create('default', { ...FEED, backfillDays: 3 })
    const afterChange = async (backfillDays: number) => {
      await catalogue.sources.update(id, { backfillDays })
      const { choosesAsFirst, version, isMadeDue } = await catalogue.row(id)
      return { choosesAsFirst, version, isMadeDue }
    }
    const { version, isMadeDue } = await catalogue.row(id)
    for (const days of [3, 2]) assert.deepEqual(await afterChange(days), { choosesAsFirst: false, version, isMadeDue })
    assert.deepEqual(await afterChange(3), { choosesAsFirst: true, version: version + 1, isMadeDue })
    assert.deepEqual(await afterChange(1), { choosesAsFirst: true, version: version + 1, isMadeDue })
  })

  it('moving to a podcast that has the URL is a conflict, to one that does not exist not found', async () => {
    await using catalogue = await tempCatalogue()
    const other = await catalogue.podcasts.create('default', { name: 'Other' })
    const { id } = await catalogue.sources.create('default', FEED)
    const twin = await catalogue.sources.create(other.id, FEED)
    await assert.rejects(catalogue.sources.update(id, { podcastId: other.id }), problem('source-exists'))
    await assert.rejects(catalogue.sources.update(id, { podcastId: 'nowhere' }), problem('not-found'))
    await catalogue.sources.remove(twin.id)
    assert.equal((await catalogue.sources.update(id, { podcastId: other.id })).podcastId, other.id)
  })

  it('an X source moved to another owner uses that owner’s lane; without admin rights it cannot be moved there', async () => {
    await using catalogue = await tempCatalogue()
    const ann = await catalogue.users.create({ name: 'Ann' })
    const hers = await catalogue.podcasts.create(ann.id, { name: 'Hers' })
    const { id, url } = await catalogue.sources.create('default', { url: '@someone' })
    assert.equal(url, 'https://x.com/someone')
    assert.equal((await catalogue.row(id)).lane, 'x:default')
    await assert.rejects(catalogue.sources.update(id, { podcastId: hers.id }, { admin: false }), problem('not-found'))
    await catalogue.sources.update(id, { podcastId: hers.id })
    const { lane, userId } = await catalogue.row(id)
    assert.deepEqual({ lane, userId }, { lane: `x:${ann.id}`, userId: ann.id })
  })

  it('without a type an address is discovered; credentials go along to the same host only', async () => {
    await using catalogue = await tempCatalogue()
    const found = (url: string, type: 'rss' | 'youtube' = 'rss', feedUrl: string | null = null) => {
      catalogue.engine.testFetch = async () => ({
        type,
        url,
        feedUrl,
        title: null,
        posts: [],
        dropped: [],
        feeds: [],
        notes: [],
      })
    }
    const create = (url: string) => catalogue.sources.create('default', { url }, { validate: true })
    found('https://blog.example/feed.xml')
    const same = await create('https://me:hush@blog.example/')
    assert.deepEqual([same.type, same.url, same.hasCredentials], ['rss', 'https://blog.example/feed.xml', true])
    found('https://sly:link@elsewhere.example/feed.xml')
    const elsewhere = await create('https://me:hush@blog.example/2')
    assert.deepEqual([elsewhere.url, elsewhere.hasCredentials], ['https://elsewhere.example/feed.xml', false])
    const asked = 'https://www.youtube.com/feeds/videos.xml?channel_id=1'
    found('https://www.youtube.com/@handle', 'youtube', asked)
    const channel = await create('https://www.youtube.com/@handle')
    assert.deepEqual(
      [channel.type, channel.url, channel.feedUrl],
      ['youtube', 'https://www.youtube.com/@handle', asked],
    )
  })

  it('a YouTube address that holds the id says which feed will be asked, tested or not', async () => {
    await using catalogue = await tempCatalogue()
    const channel = 'UCabcdefghijklmnopqrstuv'
    const feedOf = (what: string): string => `https://www.youtube.com/feeds/videos.xml?${what}`
    const url = `https://m.youtube.com/channel/${channel}/videos`
    const { id, ...made } = await catalogue.sources.create('default', { type: 'youtube', url })
    assert.deepEqual([made.url, made.feedUrl, made.host], [url, feedOf(`channel_id=${channel}`), 'www.youtube.com'])
    const list = 'https://youtube.com/playlist?list=PLabcdefghijkl'
    const changed = await catalogue.sources.update(id, { url: list })
    assert.deepEqual([changed.feedUrl, changed.host], [feedOf('playlist_id=PLabcdefghijkl'), 'www.youtube.com'])
    const handle = await catalogue.sources.update(id, { url: 'https://youtube.com/@name' })
    assert.deepEqual([handle.feedUrl, handle.host], [null, 'youtube.com'])
    assert.equal((await catalogue.sources.create('default', { type: 'rss', url })).feedUrl, null)
  })

  it('without a type and without a test there is no telling, except for X accounts', async () => {
    await using catalogue = await tempCatalogue()
    await assert.rejects(catalogue.sources.create('default', { url: FEED.url }), problem('invalid-input', 'type'))
    const x = await catalogue.sources.create('default', { url: 'https://twitter.com/name' }, { validate: true })
    assert.equal(x.type, 'twitter')
    assert.equal(catalogue.engine.tested.length, 0)
  })

  it('an address that finds nothing usable is not stored', async () => {
    await using catalogue = await tempCatalogue()
    catalogue.engine.testFetch = async () => {
      throw new Problem('nothing-usable', '404 Not Found')
    }
    const create = catalogue.sources.create('default', { ...FEED, validate: true })
    await assert.rejects(create, problem('nothing-usable'))
    assert.deepEqual((await catalogue.sources.list('default')).items, [])
  })

  it('a twin is refused before anybody is asked', async () => {
    await using catalogue = await tempCatalogue()
    await catalogue.sources.create('default', FEED)
    await assert.rejects(
      catalogue.sources.create('default', { ...FEED, validate: true }),
      problem('source-exists', 'url'),
    )
    assert.equal(catalogue.engine.tested.length, 0)
  })

  it('without admin rights a delay lies between the configured one and 300 s', async () => {
    const source = { hostOverrides: { 'slow.example': { pollDelaySeconds: 3 } } }
    await using catalogue = await tempCatalogue({ source })
    const user = { admin: false }
    const slow = { type: 'rss', url: 'https://slow.example/feed' } as const
    const refused = problem('needs-admin', 'pollDelaySeconds')
    await assert.rejects(catalogue.sources.create('default', { ...slow, pollDelaySeconds: 2 }, user), refused)
    await assert.rejects(catalogue.sources.create('default', { ...slow, pollDelaySeconds: 301 }, user), refused)
    const { id } = await catalogue.sources.create('default', { ...slow, pollDelaySeconds: 3 }, user)
    await assert.rejects(catalogue.sources.update(id, { pollDelaySeconds: 0 }, user), refused)
    const set = await catalogue.sources.update(id, { pollDelaySeconds: 600 })
    // What an admin set stays when the user sends it back, but does not go along to another host.
    assert.equal((await catalogue.sources.replace(id, set, user)).pollDelaySeconds, 600)
    await assert.rejects(catalogue.sources.update(id, { url: 'https://b.example/' }, user), refused)
    assert.equal((await catalogue.sources.update(id, { pollDelaySeconds: null }, user)).pollDelaySeconds, null)
  })

  it('an address is only as trusted as who gave it', async () => {
    await using catalogue = await tempCatalogue()
    const { id } = await catalogue.sources.create('default', FEED)
    await catalogue.sources.update(id, { label: 'x' }, { admin: false })
    assert.equal((await catalogue.row(id)).trusted, true)
    await catalogue.sources.update(id, { url: 'http://10.0.0.1/' }, { admin: false })
    assert.equal((await catalogue.row(id)).trusted, false)
  })

  it('a URL that a poll changes meanwhile is not changed back', async () => {
    await using catalogue = await tempCatalogue()
    const { id } = await catalogue.sources.create('default', FEED)
    const { changeSource } = catalogue.store
    const moved = { url: 'https://moved.example/feed', urlKey: 'https://moved.example/feed', host: 'moved.example' }
    catalogue.store.changeSource = async (...args) => {
      await changeSource(id, () => ({ set: moved, events: [] }))
      return changeSource(...args)
    }
    const changed = await catalogue.sources.update(id, { label: 'New' })
    assert.equal(changed.url, moved.url)
    assert.equal((await catalogue.row(id)).version, 1)
  })
})
