// Messages over the page: their time stands still while somebody is at them, also the time to undo something. The clock of
// the page is a manual one.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '../support/until.ts'
import { feed, openVisit, SOURCES, type Visit } from './visit.ts'

/** Longer than any message stays by itself. */
const LONG_MS = 40_000

describe('messages', () => {
  let visit: Visit
  let id: string
  let hours = 0
  const messages = () => visit.page.locator('.notice')
  const isThere = async () =>
    (await visit.api('GET', `${SOURCES}?limit=500`)).items.some((one: { id: string }) => one.id === id)

  before(async () => {
    visit = await openVisit({ env: { APP_SOURCE_TICK_SECONDS: '3600' } })
    visit.origin.route('/feed', { contentType: 'application/rss+xml', body: feed('Harbour', ['Tide']) })
    id = await visit.source('/feed', { label: 'Harbour' })
    await visit.page.clock.install()
  })
  after(() => visit?.[Symbol.asyncDispose]())

  /** From here on, time passes on the page only when the test says so. */
  async function openWithStillClock(): Promise<void> {
    await visit.open(`/sources/${id}`, 'Harbour')
    await visit.loaded()
    // It can only be stopped at a time that is still to come.
    hours++
    await visit.page.clock.pauseAt(Date.now() + hours * 3_600_000)
  }

  test('stay while the pointer is on them, and go when it has left', async () => {
    await openWithStillClock()
    await visit.button('Disable').click()
    await messages().hover()
    await visit.page.clock.runFor(LONG_MS)
    assert.equal(await messages().count(), 1)
    await visit.page.mouse.move(0, 0)
    await until('it went', async () => {
      await visit.page.clock.runFor(LONG_MS)
      return (await messages().count()) === 0
    })
  })

  test('that can be undone stay while the focus is on them, and nothing is done meanwhile', async () => {
    await visit.button('Remove').click()
    await visit.button('Undo').focus()
    await visit.page.clock.runFor(LONG_MS)
    assert.ok(await isThere())
    await visit.button('Undo').press('Enter')
    await visit.notice('1 source kept, with all posts.')
    await visit.page.clock.runFor(LONG_MS)
    assert.ok(await isThere())
  })

  test('that are left are done for', async () => {
    await visit.page.clock.resume()
    await openWithStillClock()
    await visit.button('Remove').click()
    await visit.button('Undo').focus()
    await visit.page.clock.runFor(LONG_MS)
    assert.ok(await isThere())
    await visit.page.evaluate('document.activeElement.blur()')
    await visit.page.clock.runFor(LONG_MS)
    await until('it is removed', async () => !(await isThere()))
  })
})
