// Every page as everybody gets it: light and dark, on a phone, with a screen reader, with the keyboard alone, over a slow
// line.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { after, before, describe, test } from 'node:test'
import { until } from '../support/until.ts'
import { feed, openVisit, type Visit } from './visit.ts'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** When something was first to be seen, and when the script had arrived, in milliseconds. */
const PAINTED = `new Promise((resolve) => setTimeout(() => resolve({
  painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
  script: performance.getEntriesByType('resource').find(({ name }) => /assets/.test(name))?.responseEnd ?? 0,
}), 200))`

interface Finding {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

describe('every page of the dashboard', () => {
  let visit: Visit
  let pages: [string, string][] = []

  before(async () => {
    visit = await openVisit({ env: { APP_SOURCE_TICK_SECONDS: '3600' } })
    visit.origin.route('/feed', { contentType: 'application/rss+xml', body: feed('Harbour', ['Tide', 'Wind']) })
    const id = await visit.source('/feed', { label: 'Harbour' })
    await visit.source('/missing', { label: 'A label that goes on for so long that no phone could show all of it' })
    visit.origin.route('/busy', { status: 429, headers: { 'retry-after': '600' } })
    await visit.source('/busy')
    await visit.api('POST', '/api/users/default/podcasts/default/articles', {})
    const { items } = await visit.api('GET', '/api/users/default/podcasts/default/posts')
    pages = [
      ['/', 'Overview'],
      ['/lanes', 'Lanes'],
      ['/sources', 'Sources'],
      [`/sources/${id}`, 'Harbour'],
      ['/posts', 'Posts'],
      [`/posts/${items[0].id}`, items[0].title],
      ['/articles', 'Articles'],
      ['/settings', 'Settings'],
    ]
  })
  after(() => visit?.[Symbol.asyncDispose]())

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`has no serious finding of axe in ${colorScheme} colours`, async () => {
      const axe = await readFile(AXE, 'utf8')
      await visit.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      for (const [path, heading] of pages) {
        await visit.open(path, heading)
        await visit.page.locator('.loading').waitFor({ state: 'detached' })
        await visit.page.evaluate(axe)
        const violations = await visit.page.evaluate<Finding[]>('axe.run().then(({ violations }) => violations)')
        const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
        assert.deepEqual(
          serious.map(({ id, nodes }) => `${path}: ${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`),
          [],
        )
      }
    })
  }

  test('fits a phone', async () => {
    await visit.page.setViewportSize({ width: 390, height: 844 })
    for (const [path, heading] of pages) {
      await visit.open(path, heading)
      await visit.page.locator('.loading').waitFor({ state: 'detached' })
      assert.equal(await visit.page.evaluate('document.documentElement.scrollWidth'), 390, path)
    }
    await visit.page.setViewportSize({ width: 1280, height: 900 })
  })

  test('can be reached and used with the keyboard alone', async () => {
    await visit.open('/', 'Overview')
    await visit.page.keyboard.press('Tab')
    assert.equal(await visit.focused(), 'Skip to the page')
    for (let presses = 0; presses < 3; presses++) await visit.page.keyboard.press('Tab')
    assert.equal(await visit.focused(), 'Sources')
    await visit.page.keyboard.press('Enter')
    await visit.page.getByRole('heading', { level: 1, name: 'Sources' }).waitFor()
    await visit.button('Add source').focus()
    await visit.page.keyboard.press('Enter')
    await until('the dialog has the focus', async () => (await visit.focused()) === 'url')
    await visit.page.keyboard.press('Escape')
    await visit.page.getByRole('dialog').waitFor({ state: 'detached' })
    await until('the focus is back', async () => (await visit.focused()) === 'Add source')
  })

  test('shows its frame after one round trip, before its script has arrived', async () => {
    const session = await visit.page.context().newCDPSession(visit.page)
    await session.send('Network.enable')
    await session.send('Network.setCacheDisabled', { cacheDisabled: true })
    const slow = { offline: false, latency: 600, downloadThroughput: -1, uploadThroughput: -1 }
    await session.send('Network.emulateNetworkConditions', slow)
    await visit.open('/sources', 'Sources')
    const { painted, script } = await visit.page.evaluate<{ painted: number; script: number }>(PAINTED)
    await session.send('Network.emulateNetworkConditions', { ...slow, latency: 0 })
    await session.detach()
    assert.ok(painted > 0 && painted < script, `painted at ${painted} ms, the script came at ${script} ms`)
  })

  test('loads less than 150 KB at first, and nothing from anywhere else', async () => {
    const asked: { url: string; bytes: number }[] = []
    visit.page.on('requestfinished', async (request) => {
      const { responseBodySize, responseHeadersSize } = await request.sizes()
      asked.push({ url: request.url(), bytes: responseBodySize + responseHeadersSize })
    })
    await visit.open('/', 'Overview')
    await visit.page.locator('.loading').waitFor({ state: 'detached' })
    await visit.page.waitForTimeout(300)
    assert.deepEqual(
      asked.filter(({ url }) => !url.startsWith(visit.url)),
      [],
    )
    const total = asked.reduce((sum, { bytes }) => sum + bytes, 0)
    assert.ok(total > 10_000 && total < 150_000, `${total} bytes`)
  })

  test('the browser found nothing to complain about', () => {
    assert.deepEqual(visit.complaints, [])
  })
})
