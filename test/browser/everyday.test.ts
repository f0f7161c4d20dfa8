// The dashboard day by day: in two tabs, with the keyboard alone, with names longer than any screen, and with what the
// product itself found out.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { until } from '../support/until.ts'
import { feed, openVisit, type Visit } from './visit.ts'

const RSS = 'application/rss+xml'
const LONG = 'w'.repeat(190)
const FITS = 'document.documentElement.scrollWidth <= innerWidth'
/** What sticks out, for whoever has to mend it. */
const WIDEST = `[...document.querySelectorAll('main *, header *')]
  .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
  .slice(0, 3).map((element) => element.outerHTML.slice(0, 120)).join(' | ')`
const OUTLINE = `getComputedStyle(document.activeElement).outlineStyle`

describe('the dashboard day by day', () => {
  let visit: Visit
  let harbour = ''

  before(async () => {
    visit = await openVisit({ env: { APP_SOURCE_TICK_SECONDS: '1' } })
    visit.origin.route('/harbour', { contentType: RSS, body: feed('Harbour', ['Tide', 'Wind']) })
    harbour = await visit.source('/harbour', { pollIntervalMinutes: 600 })
  })
  after(() => visit?.[Symbol.asyncDispose]())

  const region = (name: string) => visit.page.getByRole('region', { name, exact: true })
  function inStore(work: (database: DatabaseSync) => void): void {
    using database = new DatabaseSync(join(visit.shell.folder, 'tidings.db'), { timeout: 60_000 })
    work(database)
  }

  /** Presses Tab until this has the focus, which must be visible. */
  async function tabTo(what: string, isIt: () => Promise<boolean>): Promise<void> {
    for (let presses = 0; presses < 150; presses++) {
      if (await isIt()) {
        assert.notEqual(await visit.page.evaluate(OUTLINE), 'none', `the focus on ${what} is visible`)
        return
      }
      await visit.page.keyboard.press('Tab')
    }
    assert.fail(`${what} cannot be reached with the keyboard`)
  }
  const tabToName = (name: string) => tabTo(name, async () => (await visit.focused()) === name)

  test('a source is added, found, edited and read with the keyboard alone', async () => {
    visit.origin.route('/keys', { contentType: RSS, body: feed('Keyboard news', ['A key to press']) })
    const { keyboard } = visit.page
    await visit.open('/sources', 'Sources')
    await tabToName('Add source')
    await keyboard.press('Enter')
    await until('the dialog has the focus', async () => (await visit.focused()) === 'url')
    await keyboard.type(`${visit.origin.url}/keys`)
    await tabToName('Find feeds')
    await keyboard.press('Enter')
    await visit.page.getByRole('checkbox', { name: 'Keyboard news' }).waitFor()
    await tabToName('Add')
    await keyboard.press('Enter')
    await visit.page.getByRole('dialog').waitFor({ state: 'detached' })
    await until('the focus is back', async () => (await visit.focused()) === 'Add source')

    await tabToName('Search')
    await keyboard.type('/keys')
    await until('only it is listed', async () => (await visit.page.locator('table.sources .title a').count()) === 1)
    await tabToName('Keyboard news')
    await keyboard.press('Enter')
    await visit.page.getByRole('heading', { level: 1, name: 'Keyboard news' }).waitFor()

    await visit.page.locator('#setting-label').waitFor()
    await tabTo('the label', async () => (await visit.page.evaluate('document.activeElement.id')) === 'setting-label')
    await keyboard.type('By hand')
    await keyboard.press('Enter')
    await visit.page.getByRole('heading', { level: 1, name: 'By hand' }).waitFor()
    const inLabel = async () => (await visit.page.evaluate('document.activeElement.id')) === 'setting-label'
    await until('the focus is where it was', inLabel)
    await region('Newest posts').getByRole('link', { name: 'A key to press' }).waitFor()
    await tabToName('A key to press')
    await keyboard.press('Enter')
    await visit.page.getByRole('heading', { level: 1, name: 'A key to press' }).waitFor()
  })

  test('a change in one tab shows in the other, in lists and on pages', async () => {
    await visit.open(`/sources/${harbour}`, 'Harbour')
    const other = await visit.page.context().newPage()
    await other.goto(`${visit.url}/sources`)
    const listed = (name: string) => other.getByRole('table').getByRole('link', { name, exact: true })
    await listed('Harbour').waitFor()
    await visit.page.getByLabel('Label', { exact: true }).fill('Port')
    await visit.button('Save').click()
    await listed('Port').waitFor()
    await other.goto(`${visit.url}/sources/${harbour}`)
    await other.getByRole('button', { name: 'Disable' }).click()
    await region('Why and when').getByText('disabled', { exact: true }).waitFor()
    await visit.button('Enable').click()
    await other.getByRole('button', { name: 'Disable' }).waitFor()
    await other.close()
  })

  test('a source moves to another podcast in its settings, with its posts', async () => {
    const { id } = await visit.api('POST', '/api/users/default/podcasts', { name: 'Evening' })
    await visit.open(`/sources/${harbour}`, 'Port')
    await region('Settings').getByLabel('Podcast').selectOption({ label: 'Evening' })
    await visit.button('Save').click()
    await visit.notice('Saved.')
    await region('Newest posts').getByRole('link', { name: 'Tide' }).waitFor()
    assert.equal((await visit.api('GET', `/api/sources/${harbour}`)).podcastId, id)
    await region('Settings').getByLabel('Podcast').selectOption({ label: 'Default' })
    await visit.button('Save').click()
    await until('it is back', async () => (await visit.api('GET', `/api/sources/${harbour}`)).podcastId === 'default')
  })

  test('a learned interval and a gap are told on the page of a source', async () => {
    // It was enabled above, so it is polled once more, and what that poll writes must not come after this.
    const planned = async () => Date.parse((await visit.api('GET', `/api/sources/${harbour}`)).nextPollAt ?? '')
    await until('its next poll is hours away', async () => (await planned()) > Date.now() + 3_600_000)
    inStore((database) => {
      database.exec(`UPDATE sources SET adaptive = 1, learned_interval_minutes = 90 WHERE id = '${harbour}'`)
      database.exec(`UPDATE polls SET gap = 1 WHERE source_id = '${harbour}'`)
    })
    await visit.open(`/sources/${harbour}`, 'Port')
    await region('Why and when').getByText('1.5 h, learned from how it publishes (set: 10 h)').waitFor()
    await region('Settings')
      .getByText(/Learned: 90 minutes\./)
      .waitFor()
    await region('Poll records').getByText('gap', { exact: true }).first().waitFor()
  })

  test('the overview shows the daily summary as soon as it is written', async () => {
    await visit.open('/', 'Overview')
    await region('Daily summary').waitFor()
    const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000).toISOString()
    inStore((database) => database.exec(`UPDATE meta SET value = '${twoDaysAgo}' WHERE key = 'summarised-until-day'`))
    await region('Daily summary').getByText('3 new posts from').waitFor()
    await region('Health of the sources')
      .getByText(/sources are fine$/)
      .waitFor()
  })

  test('names and addresses that are longer than any screen widen no page, from 320 to 1920 px', async () => {
    const wide = `<svg xmlns="http://www.w3.org/2000/svg" width="3000" height="90"><rect width="3000" height="90"/></svg>`
    visit.origin.route('/wide.svg', { contentType: 'image/svg+xml', body: wide })
    const text = `&lt;img src="${visit.origin.url}/wide.svg" width="3000"&gt;&lt;pre&gt;${LONG}${LONG}&lt;/pre&gt;${LONG}`
    const item = `<item><title>${LONG}${LONG}</title><guid>1</guid><author>${LONG}</author><category>${LONG}</category>
      <link>https://example.org/${LONG}${LONG}</link><description>${text}</description></item>`
    const body = `<rss version="2.0"><channel><title>${LONG}</title>${item}</channel></rss>`
    visit.origin.route(`/${LONG}${LONG}`, { contentType: RSS, body })
    const id = await visit.source(`/${LONG}${LONG}`, { label: LONG, folder: LONG, backfillDays: 1 })
    visit.origin.route(`/missing-${LONG}`, { status: 404 })
    await visit.source(`/missing-${LONG}`)
    await visit.api('POST', '/api/users/default/podcasts', { name: LONG })
    await visit.api('POST', '/api/users', { name: LONG })
    await visit.api('POST', '/api/users/default/tokens', { name: LONG })
    await visit.api('POST', '/api/users/default/webhooks', { url: `https://example.org/${LONG}`, types: null })
    await visit.api('POST', '/api/users/default/podcasts/default/articles', {})
    const { items } = await visit.api('GET', `/api/users/default/podcasts/default/posts?source=${id}`)
    const pages = ['/', '/lanes', '/sources', `/sources/${id}`, '/posts', `/posts/${items[0].id}`, '/articles']
    for (const path of [...pages, '/settings']) {
      await visit.page.goto(`${visit.url}${path}`)
      await visit.loaded()
      for (const width of [320, 600, 900, 1280, 1920]) {
        await visit.page.setViewportSize({ width, height: 800 })
        await until(`${path} fits ${width} px`, () => visit.page.evaluate<boolean>(FITS), 30_000).catch(
          async (error) => {
            throw new Error(`${error.message}: ${await visit.page.evaluate(WIDEST)}`)
          },
        )
      }
    }
    await visit.page.setViewportSize({ width: 1280, height: 800 })
  })

  test('the browser found nothing to complain about', () => {
    assert.deepEqual(visit.complaints, [])
  })
})
