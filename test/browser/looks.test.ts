// Every page as everybody gets it: light and dark, on a phone, with a screen reader, with the keyboard alone, over a slow
// line.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { until } from '../support/until.ts'
import { feed, openVisit, type Visit } from './visit.ts'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** Something is to be seen. */
const IS_PAINTED = `performance.getEntriesByName('first-contentful-paint').length > 0`

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

  const LOOKS = [
    { colorScheme: 'light', width: 1280 },
    { colorScheme: 'dark', width: 1280 },
    { colorScheme: 'light', width: 390 },
    { colorScheme: 'dark', width: 390 },
  ] as const
  for (const { colorScheme, width } of LOOKS) {
    test(`has no serious finding of axe in ${colorScheme} colours at ${width} px`, async () => {
      const axe = await readFile(AXE, 'utf8')
      await visit.page.setViewportSize({ width, height: 900 })
      await visit.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      for (const [path, heading] of pages) {
        await visit.open(path, heading)
        await visit.loaded()
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
      await visit.loaded()
      const width = () => visit.page.evaluate<number>('document.documentElement.scrollWidth')
      await until(`${path} is 390 px wide`, async () => (await width()) === 390)
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
    let arrive = () => {}
    const painted = new Promise<void>((resolve) => {
      arrive = resolve
    })
    await visit.page.route(/\/assets\//, async (route) => {
      await painted
      await route.continue()
    })
    await visit.page.goto(`${visit.url}/sources`, { waitUntil: 'commit' })
    await until('the frame is painted', () => visit.page.evaluate<boolean>(IS_PAINTED)).finally(arrive)
    await visit.page.getByRole('heading', { level: 1, name: 'Sources', exact: true }).waitFor()
    await visit.page.unrouteAll({ behavior: 'wait' })
  })

  test('loads less than 150 KB at first, and nothing from anywhere else', async (context) => {
    const asked: { url: string; bytes: number }[] = []
    // A browser that has nothing of Tidings yet.
    const fresh = await visit.page.context().browser()?.newContext()
    const page = await fresh?.newPage()
    if (!page) throw new Error('the browser is gone')
    page.on('requestfinished', async (request) => {
      const { responseBodySize, responseHeadersSize } = await request.sizes()
      asked.push({ url: request.url(), bytes: responseBodySize + responseHeadersSize })
    })
    await page.goto(visit.url)
    await page.getByRole('region', { name: 'Three days' }).waitFor()
    await until('everything is loaded', async () => (await page.locator('.loading').count()) === 0)
    await until('the script was counted', () => asked.some(({ url }) => url.includes('/assets/')))
    assert.deepEqual(
      asked.filter(({ url }) => !url.startsWith(visit.url)),
      [],
    )
    // The browser does not count what it compiles ahead, so the files are weighed here, as they are sent.
    const files = new Set(asked.map(({ url }) => url).filter((url) => !url.includes('/api/')))
    let total = asked.filter(({ url }) => url.includes('/api/')).reduce((sum, { bytes }) => sum + bytes, 0)
    for (const url of files) {
      const answer = await fetch(url, { headers: { 'accept-encoding': 'gzip' } })
      assert.equal(answer.headers.get('content-encoding'), 'gzip', url)
      total += gzipSync(await answer.text()).length
    }
    context.diagnostic(`the first load: ${total} bytes`)
    assert.ok(total > 40_000 && total < 150_000, `${total} bytes`)
  })

  test('the browser found nothing to complain about', () => {
    assert.deepEqual(visit.complaints, [])
  })
})
