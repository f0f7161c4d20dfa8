// The list of sources: searched, filtered, sorted, changed many at a time, imported and exported.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { until } from '../support/until.ts'
import { feed, openVisit, SOURCES, type Visit } from './visit.ts'

const NAMES = ['Anchor', 'Boat', 'Crane']

describe('the list of sources', () => {
  let visit: Visit
  const row = (name: string) => visit.page.getByRole('table').getByRole('link', { name, exact: true })
  const rows = () => visit.page.locator('table.sources tbody tr:not(.gap)')
  const titles = () => visit.page.locator('table.sources .title a').allInnerTexts()

  before(async () => {
    visit = await openVisit({ env: { APP_SOURCE_TICK_SECONDS: '3600' } })
    for (const name of NAMES) {
      visit.origin.route(`/${name}`, { contentType: 'application/rss+xml', body: feed(name, [`${name} post`]) })
      await visit.source(`/${name}`, { label: name })
    }
    await visit.open('/sources', 'Sources')
    await row('Crane').waitFor()
  })
  after(() => visit?.[Symbol.asyncDispose]())

  test('shows the last polls of each as a picture with words', async () => {
    const beats = visit.page.getByRole('img', { name: 'Last poll: 1 succeeded, 0 failed' })
    await beats.nth(2).waitFor()
    assert.equal(await beats.count(), 3)
  })

  test('is searched and filtered, and the address of the page keeps that', async () => {
    await visit.page.getByRole('searchbox', { name: 'Search' }).fill('boat')
    await until('only the hit is listed', async () => (await rows().count()) === 1)
    await visit.page.reload()
    await row('Boat').waitFor()
    assert.equal(await rows().count(), 1)
    await visit.page.getByRole('searchbox', { name: 'Search' }).fill('')
    await row('Crane').waitFor()
    await visit.page.getByLabel('Health').selectOption('disabled')
    await visit.page.getByText('No sources match.').waitFor()
    await visit.page.getByLabel('Health').selectOption('')
    await row('Crane').waitFor()
  })

  test('is sorted by its headers', async () => {
    await visit.page.getByRole('columnheader', { name: 'Title' }).click()
    await until('it is sorted', async () => (await titles()).join() === 'Anchor,Boat,Crane')
    await visit.page.getByRole('columnheader', { name: 'Title' }).click()
    await until('it is sorted backwards', async () => (await titles()).join() === 'Crane,Boat,Anchor')
    assert.equal(await visit.page.getByRole('columnheader', { name: 'Title' }).getAttribute('aria-sort'), 'descending')
  })

  test('disables and enables many at once, and takes it back', async () => {
    await visit.page.getByRole('checkbox', { name: 'Select all' }).check()
    await visit.button('Disable').click()
    await visit.notice(/^Disabled 3 sources\.$/)
    const enabled = async () => {
      const { items } = await visit.api('GET', SOURCES)
      return items.filter((source: { enabled: boolean }) => source.enabled).length
    }
    assert.equal(await enabled(), 0)
    await visit.button('Enable').click()
    await visit.notice(/^Enabled 3 sources\.$/)
    assert.equal(await enabled(), 3)
    await visit.pressInMessage('Disabled 3 sources.', 'Undo')
    await visit.button('Disable').click()
    await visit.notice('Undone: Enabled 3 sources.')
    assert.equal(await enabled(), 3)
  })

  test('an undone removal keeps the source and its posts; one that is not undone removes them', async () => {
    await visit.page.getByRole('checkbox', { name: 'Select all' }).uncheck()
    await visit.page.getByRole('checkbox', { name: 'Select Boat' }).check()
    await visit.pressInMessage('Removed Boat.', 'Undo')
    await visit.button('Remove').click()
    await visit.notice('1 source kept, with all posts.')
    await row('Boat').waitFor()
    const { items } = await visit.api('GET', `${SOURCES}?q=Boat`)
    assert.equal(items[0].postCount, 1)
    await visit.page.getByRole('checkbox', { name: 'Select Boat' }).check()
    // A closed message is nothing to undo any more.
    await visit.pressInMessage('Removed Boat.', 'Close message')
    await visit.button('Remove').click()
    await row('Boat').waitFor({ state: 'detached' })
    await until('it is removed', async () => (await visit.api('GET', `${SOURCES}?q=Boat`)).items.length === 0)
  })

  test('a page that is left sends the removal it still owes', async () => {
    await visit.page.getByRole('checkbox', { name: 'Select Crane' }).check()
    await visit.button('Remove').click()
    await row('Crane').waitFor({ state: 'detached' })
    await visit.page.goto(`${visit.url}/docs`)
    await until('it is removed', async () => (await visit.api('GET', `${SOURCES}?q=Crane`)).items.length === 0)
    await visit.open('/sources', 'Sources')
  })

  test('a file is imported, and the result names every failure', async () => {
    const list = [`${visit.origin.url}/Anchor`, `${visit.origin.url}/new-one`, `${visit.origin.url}/new-two`, 'ftp://x']
    await visit.page
      .getByLabel('OPML file')
      .setInputFiles({ name: 'list.txt', mimeType: 'text/plain', buffer: Buffer.from(list.join('\n')) })
    const result = visit.page.getByRole('dialog', { name: 'Import' })
    await result.getByText('2 added, 1 skipped').waitFor()
    assert.match(await result.getByRole('listitem').innerText(), /^ftp:\/\/x.*: /)
    await result.getByRole('button', { name: 'Done' }).click()
    await until('they are listed', async () => (await rows().count()) === 3)
  })

  test('is exported as OPML', async () => {
    const download = visit.page.waitForEvent('download')
    await visit.button('Export').click()
    const path = await (await download).path()
    assert.match(await readFile(path, 'utf8'), /<opml[\s\S]*\/Anchor/)
  })

  test('the browser found nothing to complain about', async () => {
    const { items } = await visit.api('GET', SOURCES)
    const isLeft = (complaint: string) => items.some(({ id }: { id: string }) => complaint.includes(id))
    // A row may be read again, after a poll, just when its source is removed.
    const isOfRemoved = (complaint: string) =>
      /status of 404 .*\/sources\/[0-9a-f-]+$/.test(complaint) && !isLeft(complaint)
    assert.deepEqual(
      visit.complaints.filter((complaint) => !isOfRemoved(complaint)),
      [],
    )
  })
})
