// What comes from outside is text on the page, or harmless HTML in the reading view. It never runs, and never changes
// the page around it.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openVisit, type Visit } from './visit.ts'

const ATTACK = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`
const HTML = `<p>Read <b>this</b> ${ATTACK}<a href="javascript:document.title='owned'">click</a>
<iframe src="https://example.org/"></iframe><style>body{display:none}</style>
<div style="position:fixed;inset:0;background:red">over it all</div><form action="/api/users"><input name=x></form></p>`

function hostileFeed(): string {
  const at = new Date(Date.now() + 3_600_000).toUTCString()
  const escaped = ATTACK.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const item = `<item><title>${escaped}</title><guid>1</guid><pubDate>${at}</pubDate><author>${escaped}</author>
    <category>${escaped}</category><link>javascript:document.title='owned'</link><description><![CDATA[${HTML}]]></description></item>`
  return `<rss version="2.0"><channel><title>${escaped}</title>${item}</channel></rss>`
}

describe('a hostile feed', () => {
  let visit: Visit
  let id = ''

  before(async () => {
    visit = await openVisit({ env: { APP_SOURCE_TICK_SECONDS: '3600' } })
    visit.origin.route('/hostile', { contentType: 'application/rss+xml', body: hostileFeed() })
    id = await visit.source('/hostile', { label: ATTACK })
  })
  after(() => visit?.[Symbol.asyncDispose]())

  async function checkPage(): Promise<void> {
    await visit.loaded()
    assert.doesNotMatch(await visit.page.title(), /^owned/)
    const found = 'main script, main iframe, main form[action], main [onerror], main a[href^="javascript"], main style'
    assert.equal(await visit.page.locator(found).count(), 0)
  }

  test('is text on the list and page of its source', async () => {
    await visit.open('/sources', 'Sources')
    assert.equal(await visit.page.locator('table.sources .title a').innerText(), ATTACK)
    await checkPage()
    await visit.open(`/sources/${id}`, ATTACK)
    await checkPage()
  })

  test('runs nothing where its post is read', async () => {
    const { items } = await visit.api('GET', '/api/users/default/podcasts/default/posts')
    await visit.page.goto(`${visit.url}/posts`)
    await visit.page.getByRole('list', { name: 'Posts' }).getByRole('listitem').waitFor()
    await checkPage()
    await visit.page.goto(`${visit.url}/posts/${items[0].id}`)
    await visit.page.locator('.prose').waitFor()
    await visit.page.getByText('Read').first().waitFor()
    await checkPage()
    const covers = `getComputedStyle([...document.querySelectorAll('.prose *')].at(-1)).position`
    assert.notEqual(await visit.page.evaluate(covers), 'fixed')
  })

  test('makes articles that are text as well', async () => {
    await visit.api('POST', '/api/users/default/podcasts/default/articles', {})
    await visit.open('/articles', 'Articles')
    await visit.page.getByRole('list', { name: 'Articles' }).getByRole('listitem').first().waitFor()
    await checkPage()
  })

  test('the browser refused nothing, because nothing was left to refuse', () => {
    assert.deepEqual(
      visit.complaints.filter((text) => /Content Security Policy|owned/.test(text)),
      [],
    )
  })
})
