// The dashboard as people see it: a real Chromium, a real serve, real feeds on loopback. One page for all of it, in
// the order of a first visit.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { feed, openVisit, type Visit } from './visit.ts'

const HOSTILE = '<img src=x onerror="document.title=`owned`"><script>document.title="owned"</script>'

function page(title: string, feedPath: string): string {
  const link = `<link rel="alternate" type="application/rss+xml" title="Its feed" href="${feedPath}">`
  return `<!doctype html><html><head><title>${title}</title>${link}</head><body><p>Welcome.</p></body></html>`
}

describe('the dashboard', () => {
  let visit: Visit
  const item = (text: string) => visit.row(text)
  const notice = (text: string | RegExp) => visit.notice(text)

  before(async () => {
    visit = await openVisit()
    const { origin } = visit
    origin.route('/', { contentType: 'text/html', body: page('Harbour news', '/harbour.rss') })
    origin.route('/harbour.rss', { contentType: 'application/rss+xml', body: feed('Harbour news', ['Tide', 'Wind']) })
    origin.route('/hostile.rss', { contentType: 'application/rss+xml', body: feed('&lt;b&gt;bold&lt;/b&gt;', ['x']) })
  })
  after(() => visit?.[Symbol.asyncDispose]())

  async function add(url: string, label: string): Promise<void> {
    await visit.page.fill('#add [name=url]', url)
    await visit.page.fill('#add [name=label]', label)
    await visit.page.click('#add button')
  }

  test('opens on an empty store with a hint what to do', async () => {
    await visit.page.goto(visit.url)
    await visit.page.locator('.empty', { hasText: 'Add an address above' }).waitFor()
    assert.equal(await visit.page.locator('#sign-in').isVisible(), false)
  })

  test('an address is added as the feed behind it, polled at once, and shown with its health', async () => {
    await add(`${visit.origin.url}/`, 'Harbour')
    await notice('Polled: 2 new of 2.')
    const added = item('Harbour')
    assert.equal(await added.getAttribute('class'), 'ok')
    assert.match(await added.innerText(), new RegExp(`${visit.origin.url}/harbour\\.rss`))
    assert.match(await added.innerText(), /2 posts/)
  })

  test('why tells the reason and the last polls', async () => {
    await item('Harbour').getByRole('button', { name: 'Why?' }).click()
    const why = item('Harbour').locator('.why')
    await why.locator('li', { hasText: 'success, 2 new of 2' }).waitFor()
    assert.match(await why.locator('p').innerText(), /^Last polled well at .* next at /)
  })

  test('a poll that fails says why, and the source turns to failing', async () => {
    visit.origin.route('/harbour.rss', { status: 404 })
    await item('Harbour').getByRole('button', { name: 'Poll now' }).click()
    await notice(/^Polled, permanent failure: The server answered 404/)
    assert.equal(await visit.page.locator('#notice').getAttribute('class'), 'error')
    await visit.page.locator('#sources > li.failing', { hasText: 'answered 404' }).waitFor()
  })

  test('labels and titles from outside are text, never markup', async () => {
    await add(`${visit.origin.url}/hostile.rss`, HOSTILE)
    const added = item('onerror')
    await added.waitFor()
    assert.equal(await added.locator('strong').innerText(), HOSTILE)
    assert.equal(await visit.page.locator('#sources img, #sources script').count(), 0)
    assert.equal(await visit.page.title(), 'Tidings')
  })

  test('entries from before a source was added are said to be left out', async () => {
    const yesterday = new Date(Date.now() - 86_400_000).toUTCString()
    const body = `<rss version="2.0"><channel><title>Old</title><item><title>Old</title><pubDate>${yesterday}</pubDate></item></channel></rss>`
    visit.origin.route('/old.rss', { contentType: 'application/rss+xml', body })
    await add(`${visit.origin.url}/old.rss`, 'Old')
    await notice('Polled: 0 new of 1. 1 from before it was added left out.')
    await item('old.rss').getByRole('button', { name: 'Remove' }).click()
    await item('old.rss').waitFor({ state: 'detached' })
  })

  test('what is refused is told, and nothing is added', async () => {
    const before = visit.complaints.length
    await add('mailto:nobody', '')
    await notice('expected an http or https URL')
    assert.equal(await visit.page.locator('#sources > li').count(), 2)
    // A browser itself notes every answer of 400 and above.
    const noted = visit.complaints.splice(before)
    assert.ok(
      noted.every((text) => /status of 400/.test(text)),
      noted.join('\n'),
    )
  })

  test('filters narrow the list', async () => {
    await visit.page.selectOption('#filter [name=health]', 'failing')
    await visit.page.locator('#sources > li.ok').waitFor({ state: 'detached' })
    assert.equal(await visit.page.locator('#sources > li').count(), 1)
    await visit.page.selectOption('#filter [name=health]', '')
    await item('onerror').waitFor()
  })

  test('a source is disabled, enabled and removed', async () => {
    await item('onerror').getByRole('button', { name: 'Disable' }).click()
    await visit.page.locator('#sources > li.disabled', { hasText: 'onerror' }).waitFor()
    await item('onerror').getByRole('button', { name: 'Enable' }).click()
    await item('onerror').getByRole('button', { name: 'Disable' }).waitFor()
    await item('onerror').getByRole('button', { name: 'Remove' }).click()
    await item('onerror').waitFor({ state: 'detached' })
  })

  test('a host that asked to wait is shown with its reason', async () => {
    visit.origin.route('/harbour.rss', { status: 429, headers: { 'retry-after': '600' } })
    await item('Harbour').getByRole('button', { name: 'Poll now' }).click()
    await notice(/429/)
    const waiting = visit.page.locator('#trouble li', { hasText: '127.0.0.1' })
    assert.match(await waiting.innerText(), /^127\.0\.0\.1 \(1 source\): answered 429, asked again in 10 minutes$/)
  })

  test('the browser found nothing to complain about', () => {
    assert.deepEqual(visit.complaints, [])
  })
})
