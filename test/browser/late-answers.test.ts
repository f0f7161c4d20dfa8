// What somebody typed and what the page shows, while answers are late, overtake each other, or do not come at all.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Route } from 'playwright-core'
import { until } from '../support/until.ts'
import { feed, openVisit, SOURCES, type Visit } from './visit.ts'

const TWO_FRAMES = 'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))'

describe('late answers', () => {
  let visit: Visit
  let id: string
  const search = () => visit.page.getByRole('searchbox', { name: 'Search' })
  const field = (name: string) => visit.page.getByRole('region', { name: 'Settings' }).getByLabel(name)

  before(async () => {
    visit = await openVisit({ env: { APP_SOURCE_TICK_SECONDS: '3600' } })
    for (const path of ['/harbour', '/island'])
      visit.origin.route(path, { contentType: 'application/rss+xml', body: feed(path.slice(1), ['Tide']) })
    id = await visit.source('/harbour', { label: 'Harbour', backfillDays: 7 })
  })
  after(() => visit?.[Symbol.asyncDispose]())

  /** Holds the first request of this kind. `answered: 'before'` asks the server at once, and only holds what it said. */
  async function hold(what: RegExp, method: string, answered: 'before' | 'after' = 'after') {
    const gate = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    const done = Promise.withResolvers<void>()
    let isFirst = true
    await visit.page.route(what, async (route: Route) => {
      if (!isFirst || route.request().method() !== method) return route.fallback()
      isFirst = false
      const early = answered === 'before' ? await route.fetch() : null
      asked.resolve()
      await gate.promise
      await (early ? route.fulfill({ response: early }) : route.continue())
      done.resolve()
    })
    return {
      asked: asked.promise,
      async letGo() {
        gate.resolve()
        await done.promise
        await visit.page.unrouteAll({ behavior: 'wait' })
      },
    }
  }

  test('do not change what is typed into a search', async () => {
    await visit.open('/sources', 'Sources')
    await search().pressSequentially('Harbour ')
    await until('it was searched', async () => new URL(visit.page.url()).searchParams.get('q') === 'Harbour')
    await visit.page.evaluate(TWO_FRAMES)
    assert.equal(await search().inputValue(), 'Harbour ')
    await visit.open('/lanes', 'Lanes')
    const hosts = visit.page.getByRole('searchbox', { name: 'Search hosts' })
    await hosts.fill('Nowhere')
    await visit.page.getByText('No host matches.').waitFor()
    assert.equal(await hosts.inputValue(), 'Nowhere')
  })

  test('that are older than the one on the page are not shown', async () => {
    await visit.open(`/sources/${id}`, 'Harbour')
    await visit.loaded()
    await visit.page.getByText('Live', { exact: true }).waitFor()
    const held = await hold(new RegExp(`/sources/${id}$`), 'GET', 'before')
    await visit.api('POST', `${SOURCES}/${id}/poll?wait=true`)
    await held.asked
    await field('Label').fill('Old harbour')
    await visit.button('Save').click()
    await visit.notice('Saved.')
    await visit.page.getByRole('heading', { level: 1, name: 'Old harbour', exact: true }).waitFor()
    await held.letGo()
    await visit.page.evaluate(TWO_FRAMES)
    assert.equal(await visit.heading(), 'Old harbour')
  })

  test('keep what is typed into settings while others are saved', async () => {
    const held = await hold(new RegExp(`/sources/${id}$`), 'PATCH')
    await field('Poll interval (minutes)').fill('45')
    await visit.button('Save').click()
    await held.asked
    await field('Label').fill('New harbour')
    await held.letGo()
    await visit.notice('Saved.')
    await until(
      'only the label is left to save',
      async () => (await visit.button('Save').getAttribute('aria-busy')) !== 'true',
    )
    assert.equal(await field('Label').inputValue(), 'New harbour')
    assert.equal(await field('Poll interval (minutes)').inputValue(), '45')
    const stored = await visit.api('GET', `${SOURCES}/${id}`)
    assert.deepEqual([stored.label, stored.pollIntervalMinutes], ['Old harbour', 45])
  })

  test('keep what is not saved yet for whoever comes back to the page', async () => {
    await visit.link('All sources').click()
    await visit.page.getByRole('heading', { level: 1, name: 'Sources' }).waitFor()
    await visit.page.goBack()
    await visit.page.getByRole('heading', { level: 1, name: 'Old harbour' }).waitFor()
    assert.equal(await field('Label').inputValue(), 'New harbour')
    await visit.button('Save').click()
    await visit.page.getByRole('heading', { level: 1, name: 'New harbour' }).waitFor()
  })

  test('about another address than the one in the field are not offered', async () => {
    await visit.open('/sources?add=1', 'Sources')
    const dialog = visit.page.getByRole('dialog')
    await dialog.getByLabel('Address').fill(`${visit.origin.url}/harbour`)
    const held = await hold(/\/api\/preview/, 'POST')
    await visit.button('Find feeds').click()
    await held.asked
    await dialog.getByLabel('Address').fill(`${visit.origin.url}/island`)
    await held.letGo()
    await until('it looks no more', async () => (await dialog.locator('.loading').count()) === 0)
    assert.equal(await dialog.getByRole('checkbox').count(), 0)
    await visit.button('Find feeds').click()
    await dialog.getByRole('checkbox', { name: 'island' }).waitFor()
    await visit.button('Add').click()
    await visit.page.getByRole('table').getByRole('link', { name: 'island', exact: true }).waitFor()
  })

  test('that do not come are asked for again by the page itself', async () => {
    await visit.open('/settings', 'Settings')
    await visit.loaded()
    await visit.page.route(/\/api\/(?!events)/, (route) => route.abort())
    await visit.link('Posts').click()
    const trouble = visit.page.getByText(/^Tidings cannot be reached\..* This page tries again by itself\.$/)
    await trouble.waitFor()
    await visit.page.unrouteAll({ behavior: 'wait' })
    await visit.page.getByRole('list', { name: 'Posts' }).getByRole('link').first().waitFor()
    await until('the trouble is over', async () => (await trouble.count()) === 0)
  })
})
