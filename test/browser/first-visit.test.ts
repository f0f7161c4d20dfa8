// The dashboard on a first visit: a real Chromium, a real serve, real feeds on loopback. One page for all of it, from an
// empty store to an article that is done.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { usePostgres } from '../support/postgres.ts'
import { until } from '../support/until.ts'
import { feed, openVisit, SOURCES, type Visit } from './visit.ts'

const RSS = 'application/rss+xml'

function pageWithFeeds(): string {
  const link = (title: string, path: string) => `<link rel="alternate" type="${RSS}" title="${title}" href="${path}">`
  return `<!doctype html><html><head><title>Harbour</title>${link('Harbour news', '/harbour.rss')}${link('Harbour tides', '/tides.rss')}</head><body><p>Welcome.</p></body></html>`
}

const postgres = usePostgres()

for (const engine of ['SQLite', 'PostgreSQL']) describe(`the dashboard on ${engine}`, () => journey(engine))

function journey(engine: string): void {
  let visit: Visit
  before(async () => {
    visit = await openVisit({ database: engine === 'SQLite' ? null : await postgres.freshDatabase() })
    visit.origin.route('/', { contentType: 'text/html', body: pageWithFeeds() })
    visit.origin.route('/harbour.rss', { contentType: RSS, body: feed('Harbour news', ['Storm ahead', 'Wind']) })
    visit.origin.route('/tides.rss', { contentType: RSS, body: feed('Harbour tides', ['Low tide']) })
  })
  after(() => visit?.[Symbol.asyncDispose]())

  test('opens on an empty store with three ways to begin, and every page has its link and heading', async () => {
    await visit.open('/', 'Overview')
    await visit.page.getByRole('heading', { name: 'Give Tidings something to read' }).waitFor()
    for (const name of ['Lanes', 'Sources', 'Posts', 'Articles', 'Settings', 'Overview']) {
      await visit.link(name).click()
      await visit.page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
      assert.equal(new URL(visit.page.url()).pathname, name === 'Overview' ? '/' : `/${name.toLowerCase()}`)
      assert.equal(await visit.page.getByRole('heading', { level: 1 }).count(), 1)
      assert.equal(await visit.link(name).getAttribute('aria-current'), 'page')
    }
  })

  test('looks for feeds as soon as an address is given there', async () => {
    await visit.page.getByLabel('Site or feed').fill(visit.origin.url)
    await visit.button('Look').click()
    await visit.page.getByRole('checkbox', { name: 'Harbour tides' }).waitFor()
    await visit.button('Cancel').click()
    await until('the dialog is closed', async () => (await visit.page.getByRole('dialog').count()) === 0)
  })

  test('finds the feeds behind an address, shows what they hold, and adds the chosen ones at once', async () => {
    await visit.link('Sources').click()
    await visit.button('Add source').click()
    await visit.page.getByLabel('Address', { exact: true }).fill(visit.origin.url)
    await visit.button('Find feeds').click()
    await visit.page.getByRole('checkbox', { name: 'Harbour tides' }).check()
    assert.ok(await visit.page.getByRole('checkbox', { name: 'Harbour news' }).isChecked())
    await visit.page.getByText('The first poll stores 2 posts').waitFor()
    assert.equal(await visit.page.getByLabel('Backfill (days)').inputValue(), '7')
    await visit.button('Add').click()
    await visit.page.getByRole('table').getByRole('link', { name: 'Harbour news' }).waitFor()
    await visit.page.getByRole('table').getByRole('link', { name: 'Harbour tides' }).waitFor()
    await visit.notice(/^Added Harbour (news|tides): \d new posts? of \d/)
    const { items } = await visit.api('GET', SOURCES)
    assert.deepEqual(
      items.map((source: { backfillDays: number }) => source.backfillDays),
      [7, 7],
    )
  })

  test('shows a source with why it is polled, its polls, and its settings to change', async () => {
    await visit.page.getByRole('table').getByRole('link', { name: 'Harbour news' }).click()
    await visit.page
      .getByRole('region', { name: 'Why and when' })
      .getByText(/Last polled well/)
      .waitFor()
    await visit.page.getByRole('region', { name: 'Poll records' }).getByText('2 of 2').waitFor()
    await visit.page.getByRole('img', { name: 'Last poll: 1 succeeded, 0 failed' }).first().waitFor()
    await visit.page.getByLabel('Poll interval (minutes)').fill('45')
    await visit.page.getByLabel('Label', { exact: true }).fill('The harbour')
    await visit.button('Save').click()
    await visit.notice('Saved.')
    await visit.page.getByRole('heading', { level: 1, name: 'The harbour' }).waitFor()
    const { items } = await visit.api('GET', `${SOURCES}?q=harbour.rss`)
    assert.deepEqual([items[0].pollIntervalMinutes, items[0].label], [45, 'The harbour'])
  })

  test('tells what is wrong with a setting, in the words of the server', async () => {
    await visit.page.getByLabel('Address', { exact: true }).fill('mailto:nobody')
    await visit.button('Save').click()
    await visit.notice('expected an http or https URL')
    await visit.button('Discard').click()
    // A browser itself notes every answer of 400 and above.
    await until('the browser complains', () => visit.complaints.length > 0)
    assert.match(visit.complaints.pop() ?? '', /status of 400/)
  })

  test('a poll that fails says why', async () => {
    visit.origin.route('/harbour.rss', { status: 404 })
    await visit.button('Poll now').click()
    await visit.notice(/^Polled, permanent failure: The server answered 404/)
    await visit.page.getByRole('region', { name: 'Why and when' }).getByText('failing').waitFor()
    await visit.link('Overview').click()
    const needs = visit.page.getByRole('region', { name: 'Needs you' })
    await needs.getByText(/^The last poll failed: The server answered 404/).waitFor()
    visit.origin.route('/harbour.rss', { contentType: RSS, body: feed('Harbour news', ['Storm ahead', 'Wind']) })
    await needs.getByRole('button', { name: 'Poll now (The harbour)' }).click()
    await needs.getByText('All is well').waitFor()
  })

  test('finds posts and marks the hits, in the list and in the post', async () => {
    await visit.link('Posts').click()
    await visit.page.getByRole('searchbox', { name: 'Search' }).fill('storm')
    await visit.page.locator('mark', { hasText: 'Storm' }).first().waitFor()
    await visit.link('Wind').waitFor({ state: 'detached' })
    const listed = visit.page.getByRole('list', { name: 'Posts' }).getByRole('listitem')
    await until('only the hit is listed', async () => (await listed.count()) === 1)
    await visit.link('Storm ahead').click()
    await visit.page.getByRole('heading', { level: 1, name: 'Storm ahead' }).waitFor()
    await visit.page.locator('h1 mark', { hasText: 'Storm' }).waitFor()
    await visit.button('Copy as Markdown').waitFor()
    await visit.button('Copy link').waitFor()
  })

  test('makes articles and marks them, and takes that back', async () => {
    await visit.link('Articles').click()
    await visit.button('Make articles').click()
    await visit.notice('3 new articles.')
    await visit.page.getByRole('checkbox', { name: 'Select all' }).check()
    await visit.pressInMessage('Marked 3 articles as processed.', 'Undo')
    await visit.button('Mark processed').click()
    await visit.notice('Marked 3 articles as unprocessed.')
    const unprocessed = visit.page.getByText('to do', { exact: true })
    await until('all three are to do again', async () => (await unprocessed.count()) === 3)
  })

  test('names the processes that are alive', async () => {
    await visit.link('Overview').click()
    const alive = visit.page.getByRole('list', { name: 'Processes alive' }).getByRole('listitem')
    await until('the one that answers is listed', async () => (await alive.count()) === 1)
    await visit.reads(alive, /^serve .*hosts? in hand, \d+ polls? a minute/s)
  })

  test('shows every host as a lane, also in words', async () => {
    await visit.link('Lanes').click()
    const host = visit.page.getByRole('list', { name: 'Hosts' }).getByRole('listitem')
    await visit.reads(host, /^127\.0\.0\.1\s+2 sources, last asked /)
    await visit.page.getByLabel('Zoom').selectOption('10 minutes')
    await until('the address keeps it', () => visit.page.url().includes('zoom=10'))
  })

  test('the browser found nothing to complain about', () => {
    assert.deepEqual(visit.complaints, [])
  })
}
