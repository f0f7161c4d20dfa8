// A host that is left alone: its sources say so, and asking again asks, politely.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Origin, startOrigin } from '../support/origin.ts'
import { feed, openVisit, SOURCES, type Visit } from './visit.ts'

const HOST = '127.0.0.2'
const FEEDS = ['one', 'two', 'three', 'four']

describe('a host with an open breaker', () => {
  let visit: Visit
  let host: Origin
  const answer = (given: { status: number } | { contentType: string; body: string }) => {
    for (const name of FEEDS) host.route(`/${name}`, given)
  }
  const trouble = () => visit.page.locator('#trouble li', { hasText: HOST })
  const ask = () => trouble().getByRole('button', { name: `Ask again now (${HOST})` })

  before(async () => {
    visit = await openVisit({ env: { APP_SOURCE_TICK_SECONDS: '3600' } })
    host = await startOrigin({ host: HOST })
    answer({ contentType: 'application/rss+xml', body: feed('A host', ['x']) })
    const ids: string[] = []
    for (const name of FEEDS) ids.push(await visit.source(`${host.url}/${name}`, { label: `Number ${name}` }))
    answer({ status: 403 })
    for (const id of ids.slice(0, 3)) await visit.api('POST', `${SOURCES}/${id}/poll?wait=true`)
    // Enabling makes it due, and so it stays.
    for (const enabled of [false, true]) await visit.api('PATCH', `${SOURCES}/${ids[3]}`, { enabled })
    await visit.page.goto(visit.url)
    await trouble().waitFor()
  })
  after(async () => {
    await visit?.[Symbol.asyncDispose]()
    await host?.close()
  })

  test('is what its due source waits for, until its next try', async () => {
    const facts = await visit.row('Number four').locator('.facts').innerText()
    assert.match(facts, / · next when its host is asked again, in (59|60) minutes · /)
  })

  test('asked again gets one request, and a refusal is told and leaves it alone as before', async () => {
    const before = host.requests.length
    await ask().press('Enter')
    await visit.notice(`Asked ${HOST} again, permanent failure: The server answered 403`)
    assert.equal(host.requests.length - before, 1)
    await trouble()
      .filter({ hasText: /4 failures in a row, asked again in (59|60) minutes/ })
      .waitFor()
    assert.equal(await visit.focused(), `Ask again now (${HOST})`)
  })

  test('asked again and answering is open for all of its sources', async () => {
    answer({ contentType: 'application/rss+xml', body: feed('A host', ['x', 'y']) })
    const before = host.requests.length
    await ask().press('Enter')
    await visit.notice(`Asked ${HOST} again: 1 new of 2.`)
    await trouble().waitFor({ state: 'detached' })
    assert.equal(host.requests.length - before, 1)
    assert.equal(await visit.page.locator('#sources > li.ok').count(), 4)
    assert.equal(await visit.focused(), 'Sources')
  })

  test('is asked for a source of another podcast when this one has none on it', async () => {
    const { items } = await visit.api('GET', SOURCES)
    answer({ status: 403 })
    for (const { id } of items) await visit.api('POST', `${SOURCES}/${id}/poll?wait=true`)
    await visit.api('POST', '/api/users/default/podcasts', { name: 'Empty' })
    await visit.page.reload()
    await visit.page.selectOption('#podcast', { label: 'Empty' })
    await visit.page.locator('.empty').waitFor()
    const before = host.requests.length
    await ask().click()
    await visit.notice(`Asked ${HOST} again, permanent failure`)
    assert.equal(host.requests.length - before, 1)
  })
})
