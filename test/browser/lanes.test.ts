// Lanes and hosts in trouble: an open breaker and its fix, lanes of X keys with their past polls, and a server that is
// started again under an open page.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type FakeX, startFakeX } from '../support/fake-x.ts'
import { until } from '../support/until.ts'
import { feed, openVisit, SOURCES, type Visit } from './visit.ts'

const RSS = { contentType: 'application/rss+xml', body: feed('Harbour', ['Tide']) }

/** How many points of a lane's picture, left of now, have the colour of new posts. */
const NEW_POSTS_DRAWN = `(host) => {
  const row = [...document.querySelectorAll('.lanes li')].find((li) => li.textContent.startsWith(host))
  const canvas = row?.querySelector('canvas')
  if (!canvas?.width) return 0
  const [red, green, blue] = getComputedStyle(canvas).getPropertyValue('--accent').match(/\\d+/g).map(Number)
  const { data } = canvas.getContext('2d').getImageData(0, 0, Math.round(canvas.width * 0.68), canvas.height)
  let points = 0
  for (let at = 0; at < data.length; at += 4)
    if (data[at] === red && data[at + 1] === green && data[at + 2] === blue) points++
  return points
}`

/** Where the newest of them stands in the first lane, from 0 to 1. Negative: there is none. */
const NEW_POSTS_PLACE = `(() => {
  const canvas = document.querySelector('.lanes li canvas')
  const [red, green, blue] = getComputedStyle(canvas).getPropertyValue('--accent').match(/\\d+/g).map(Number)
  const { data, width } = canvas.getContext('2d').getImageData(0, canvas.height >> 1, canvas.width, 1)
  for (let x = width - 1; x >= 0; x--)
    if (data[x * 4] === red && data[x * 4 + 1] === green && data[x * 4 + 2] === blue) return x / width
  return -1
})()`

describe('lanes', () => {
  let visit: Visit
  let x: FakeX
  const ids: string[] = []

  before(async () => {
    x = await startFakeX()
    x.allowKey('key')
    visit = await openVisit({ env: { APP_SOURCE_TICK_SECONDS: '3600', APP_X_BASE_URL: x.url } })
    for (const path of ['/a', '/b', '/c']) {
      visit.origin.route(path, RSS)
      ids.push(await visit.source(path, { label: `Source ${path.slice(1)}` }))
    }
  })
  after(async () => {
    await visit?.[Symbol.asyncDispose]()
    await x?.[Symbol.asyncDispose]()
  })

  const newPostsDrawn = (host: string) => visit.page.evaluate<number>(`(${NEW_POSTS_DRAWN})(${JSON.stringify(host)})`)
  const hosts = () => visit.page.getByRole('list', { name: 'Hosts' }).getByRole('listitem')

  test('show a poll as a bar, from its record and as it happens', async () => {
    await visit.open('/lanes?zoom=10', 'Lanes')
    await until('the polls are drawn', async () => (await newPostsDrawn('127.0.0.1')) > 0)
    await visit.reads(hosts(), /3 sources, last asked /)
    const before = await newPostsDrawn('127.0.0.1')
    // Everything is read again every 20 seconds. Here that has no answer, so only live events can tell of the poll.
    await visit.page.route(/\/api\/polls/, () => {})
    visit.origin.route('/a', { ...RSS, body: feed('Harbour', ['Tide', 'Wind']) })
    await visit.api('POST', `${SOURCES}/${ids[0]}/poll?wait=true`)
    await until('the new poll is drawn', async () => (await newPostsDrawn('127.0.0.1')) > before)
    await visit.page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  test('tell what a poll under the pointer brought, and lead to its source', async () => {
    // A day's bars move by a pixel in two minutes, so they stay where they were found.
    await visit.page.getByLabel('Zoom').selectOption('1 day')
    const canvas = hosts().first().locator('canvas')
    const tip = visit.page.locator('.lane-tip')
    await until('the tip is there', async () => {
      const place = await visit.page.evaluate<number>(NEW_POSTS_PLACE)
      const box = await canvas.boundingBox()
      if (!box || place < 0) return false
      await visit.page.mouse.move(box.x + place * box.width, box.y + box.height / 2)
      return (await tip.count()) === 1
    })
    await visit.reads(tip, /^1 new post\s+127\.0\.0\.1:\d+\/[abc]\s/)
    await visit.page.mouse.down()
    await visit.page.mouse.up()
    await visit.page.getByRole('heading', { level: 1, name: /^Source [abc]$/ }).waitFor()
    await until('the tip is gone', async () => (await tip.count()) === 0)
  })

  test('and the overview tell of polls that others cause, as they happen', async () => {
    await visit.open('/', 'Overview')
    await visit.page.getByText('Live', { exact: true }).waitFor()
    visit.origin.route('/b', { ...RSS, body: feed('Harbour', ['Tide', 'Wind', 'Fog']) })
    await visit.api('POST', `${SOURCES}/${ids[1]}/poll?wait=true`)
    await visit.page.getByRole('region', { name: 'Right now' }).getByText('2 new').waitFor()
  })

  test('of X keys say whose accounts they hold, and show their polls', async () => {
    x.accounts.add('7', 'harbour')
    x.accounts.post('7', { id: '1900000000000000000', text: 'Ferry leaves on time', at: Date.now() - 60_000 })
    await visit.api('PUT', '/api/users/default/keys/x', { apiKey: 'key' })
    const { id } = await visit.api('POST', SOURCES, { type: 'twitter', url: '@harbour', backfillDays: 7 })
    await visit.api('POST', `${SOURCES}/${id}/poll?wait=true`)
    await visit.open('/lanes?zoom=10', 'Lanes')
    await hosts()
      .filter({ hasText: 'x:default' })
      .getByText(/^1 X account of Default, last asked/)
      .waitFor()
    await until('its poll is drawn', async () => (await newPostsDrawn('x:default')) > 0)
    await visit.link('x:default').click()
    await visit.page.getByRole('table').getByRole('link', { name: '@harbour' }).waitFor()
  })

  test('with an open breaker stand in the overview with why, once, and are asked again at a click', async () => {
    for (const path of ['/a', '/b', '/c']) visit.origin.route(path, { status: 403 })
    for (const id of ids) await visit.api('POST', `${SOURCES}/${id}/poll?wait=true`)
    await visit.open('/', 'Overview')
    const needs = visit.page.getByRole('region', { name: 'Needs you' })
    await needs.getByText(/^3 sources: 3 failures in a row \(403\), asked again in (?:1 hour|5\d minutes)\.$/).waitFor()
    const told = needs.getByRole('listitem')
    await until('its sources are not told one by one', async () => (await told.count()) === 1)
    await visit.open('/lanes', 'Lanes')
    await hosts()
      .filter({ hasText: '127.0.0.1' })
      .getByText(/left alone: 3 failures in a row/)
      .waitFor()
    for (const path of ['/a', '/b', '/c']) visit.origin.route(path, RSS)
    await visit.link('Overview').click()
    await visit.button('Ask again now (127.0.0.1)').click()
    await visit.notice(/^Asked 127\.0\.0\.1 again: 0 new posts/)
    await needs.getByText('All is well').waitFor()
    const { breaker } = await visit.api('GET', '/api/hosts/127.0.0.1')
    assert.equal(breaker.state, 'closed')
  })

  test('that were closed by their host say until when', async () => {
    visit.origin.route('/a', { status: 429, headers: { 'retry-after': '600' } })
    await visit.api('POST', `${SOURCES}/${ids[0]}/poll?wait=true`)
    const needs = visit.page.getByRole('region', { name: 'Needs you' })
    await needs.getByText(/^3 sources: .*429.*, asked again in (?:10|[5-9]) minutes\.$/).waitFor()
    await needs.getByRole('link', { name: 'See its lane (127.0.0.1)' }).click()
    await hosts()
      .getByText(/left alone: .*429.*, asked again in (?:10|[5-9]) minutes/)
      .waitFor()
  })

  test('gave the browser nothing to complain about', () => {
    // This test looks at pictures often, which no page does.
    assert.deepEqual(
      visit.complaints.filter((text) => !/getImageData/.test(text)),
      [],
    )
  })
})
