// What somebody is in the middle of outlives refreshes, late answers and reloads.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { feed, openVisit, SOURCES, type Visit } from './visit.ts'

// Nobody but the tests polls.
const SLOW_TICK = { APP_SOURCE_TICK_SECONDS: '3600' }

describe('the dashboard keeps', () => {
  let visit: Visit
  const button = (row: string, name: string) => visit.row(row).getByRole('button', { name })

  before(async () => {
    visit = await openVisit({ env: SLOW_TICK })
    for (const name of ['one', 'two', 'three']) {
      visit.origin.route(`/${name}`, { contentType: 'application/rss+xml', body: feed(name, ['x']) })
      await visit.source(`/${name}`, { label: `Number ${name}` })
    }
    await visit.page.goto(visit.url)
    await visit.row('Number three').waitFor()
  })
  after(() => visit?.[Symbol.asyncDispose]())

  test('the focus on its button through a refresh', async () => {
    await button('Number two', 'Remove').focus()
    await visit.refresh()
    assert.equal(await visit.focused(), 'Remove (Number two)')
    await visit.row('Number two').getByRole('link').focus()
    await visit.refresh()
    assert.equal(await visit.focused(), 'Number two')
  })

  test('the focus on the button that was pressed, whatever it came to say', async () => {
    await button('Number two', 'Disable').press('Enter')
    await button('Number two', 'Enable').waitFor()
    assert.equal(await visit.focused(), 'Enable (Number two)')
    await button('Number two', 'Enable').press('Enter')
    await button('Number two', 'Disable').waitFor()
  })

  test('an explanation open, and true, while things go on', async () => {
    await button('Number one', 'Why?').click()
    const polls = visit.row('Number one').locator('.why li')
    await polls.first().waitFor()
    await button('Number two', 'Poll now').click()
    await visit.notice(/^Polled: 0 new/)
    await visit.refresh()
    assert.equal(await polls.count(), 1)
    assert.equal(await button('Number one', 'Why?').getAttribute('aria-expanded'), 'true')
    await button('Number one', 'Poll now').click()
    await polls.nth(1).waitFor()
    await button('Number one', 'Why?').click()
    assert.equal(await polls.first().isVisible(), false)
  })

  test('a poll of a slow feed busy until its answer, also beyond what one request waits for', async () => {
    const held = Promise.withResolvers<void>()
    visit.origin.route('/one', async (_request, response) => {
      await held.promise
      response.writeHead(200, { 'content-type': 'application/rss+xml' }).end(feed('one', ['x', 'y']))
    })
    // The server is asked to wait for less, so that nobody has to wait here.
    const shorter = (url: URL) => url.pathname.endsWith('/poll')
    await visit.page.route(shorter, (route) => route.continue({ url: route.request().url().replace('=20', '=0.2') }))
    const poll = button('Number one', 'Poll now')
    const queued = visit.page.waitForResponse((response) => response.status() === 202)
    await poll.press('Enter')
    await queued
    await visit.refresh()
    assert.equal(await poll.getAttribute('aria-busy'), 'true')
    assert.equal(await visit.focused(), 'Poll now (Number one)')
    await poll.press('Enter')
    held.resolve()
    await visit.notice(/^Polled: 1 new of 2\.$/)
    await visit.page.locator('[aria-busy=true]').waitFor({ state: 'detached' })
    assert.equal(visit.origin.requestsTo('/one').length, 3)
    await visit.page.unroute(shorter)
  })

  test('to what was asked last when answers come out of order', async () => {
    const held = Promise.withResolvers<void>()
    const early = (url: URL) => url.searchParams.get('q') === 't'
    await visit.page.route(early, async (route) => {
      await held.promise
      await route.continue()
    })
    const late = visit.page.waitForResponse((response) => early(new URL(response.url())))
    await visit.page.locator('#filter [name=q]').pressSequentially('three')
    await visit.row('Number two').waitFor({ state: 'detached' })
    held.resolve()
    await (await late).finished()
    await visit.settled()
    assert.deepEqual(await visit.page.locator('#sources strong').allInnerTexts(), ['Number three'])
    await visit.page.unroute(early)
  })

  test('search, health and podcast through a reload', async () => {
    const { id } = await visit.api('POST', '/api/users/default/podcasts', { name: 'Evening' })
    const url = `${visit.origin.url}/three`
    const of = `/api/users/default/podcasts/${id}/sources`
    await visit.api('POST', of, { type: 'rss', url, label: 'three in the evening', validate: false })
    await visit.page.reload()
    await visit.row('Number three').waitFor()
    assert.equal(await visit.page.inputValue('#filter [name=q]'), 'three')
    await visit.page.selectOption('#podcast', { label: 'Evening' })
    await visit.page.selectOption('#filter [name=health]', 'new')
    await visit.row('in the evening').waitFor()
    await visit.page.reload()
    await visit.row('in the evening').waitFor()
    assert.equal(await visit.page.inputValue('#filter [name=health]'), 'new')
    await visit.page.goto(visit.url)
    await visit.row('Number two').waitFor()
  })

  test('the focus near a row that is removed', async () => {
    await button('Number two', 'Remove').press('Enter')
    await visit.row('Number two').waitFor({ state: 'detached' })
    assert.equal(await visit.focused(), 'Number three')
  })

  test('on showing more until all are there', async () => {
    const lines = Array.from({ length: 560 }, (_, n) => `${visit.origin.url}/many/${n}`).join('\n')
    const headers = { 'content-type': 'text/plain' }
    const imported = await fetch(`${visit.url}${SOURCES}/import`, { method: 'POST', headers, body: lines })
    assert.equal(imported.status, 200)
    await visit.refresh()
    const rows = visit.page.locator('#sources > li')
    for (let shown = 50; shown < 562; shown += 50) {
      await rows.nth(shown - 1).waitFor()
      await visit.page.click('#more')
    }
    await rows.nth(561).waitFor()
    assert.equal(await visit.page.locator('#more').isVisible(), false)
    assert.match(await visit.focused(), /\/many\/548$/)
  })

  test('quiet in the browser', () => {
    assert.deepEqual(visit.complaints, [])
  })
})
