// The reading list and the reading view: filters, media that play when somebody wants them, text from right to left, and
// the way back.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '../support/until.ts'
import { openVisit, type Visit } from './visit.ts'

const RSS = 'application/rss+xml'

function feedIn(language: string, entries: readonly string[], more = ''): string {
  const at = new Date(Date.now() + 3_600_000).toUTCString()
  const items = entries.map(
    (title) => `<item><title>${title}</title><guid>${title}</guid><pubDate>${at}</pubDate>${more}
    <description>${title} in full.</description></item>`,
  )
  return `<rss version="2.0"><channel><title>In ${language}</title><language>${language}</language>${items.join('')}</channel></rss>`
}

describe('posts', () => {
  let visit: Visit
  let german = ''
  const posts = () => visit.page.getByRole('list', { name: 'Posts' }).getByRole('listitem')
  const shows = (count: number) => until(`${count} posts are listed`, async () => (await posts().count()) === count)

  before(async () => {
    visit = await openVisit({ env: { APP_SOURCE_TICK_SECONDS: '3600' } })
    const sound = `<enclosure url="${visit.origin.url}/episode.mp3" type="audio/mpeg" length="12345"/>`
    visit.origin.route('/en', { contentType: RSS, body: feedIn('en-GB', ['Storm', 'Wind'], sound) })
    visit.origin.route('/de', { contentType: RSS, body: feedIn('de', ['Sturm']) })
    visit.origin.route('/ar', { contentType: RSS, body: feedIn('ar', ['عاصفة في الميناء']) })
    await visit.source('/en')
    german = await visit.source('/de')
    await visit.source('/ar')
    await visit.open('/posts', 'Posts')
    await shows(4)
  })
  after(() => visit?.[Symbol.asyncDispose]())

  test('are read one after the other, in the order of the list', async () => {
    const titles = await visit.page.locator('.post-title').allInnerTexts()
    const [first = '', second = ''] = titles
    await visit.link(first).click()
    const others = visit.page.getByRole('navigation', { name: 'Other posts' })
    await others.getByRole('link', { name: second }).click()
    await visit.page.getByRole('heading', { level: 1, name: second, exact: true }).waitFor()
    await others.getByRole('link', { name: first }).click()
    await visit.page.getByRole('heading', { level: 1, name: first, exact: true }).waitFor()
    await visit.link('All posts').click()
    await shows(4)
  })

  test('are filtered by language, source and date, and a link keeps that', async () => {
    await visit.page.getByLabel('Language').selectOption({ label: 'English' })
    await shows(2)
    await visit.page.reload()
    await shows(2)
    await visit.page.getByLabel('Language').selectOption({ label: 'German' })
    await shows(1)
    await visit.link('Sturm').waitFor()
    await visit.page.getByLabel('Language').selectOption({ label: 'Other…' })
    const tag = visit.page.getByLabel('Language tag')
    await tag.fill('no tag')
    await tag.press('Enter')
    assert.equal(await visit.page.evaluate(`document.querySelector('input.tag').validity.valid`), false)
    await tag.fill('PT-br')
    await tag.press('Enter')
    await visit.page.getByText('No posts match.').waitFor()
    assert.match(visit.page.url(), /language=pt-BR/)
    await visit.page.getByLabel('Language').selectOption('')
    await visit.page.getByLabel('Source').selectOption({ label: 'In de' })
    await shows(1)
    assert.match(visit.page.url(), new RegExp(`source=${german}`))
    await visit.page.getByLabel('Source').selectOption('')
    await shows(4)
    await visit.page.getByLabel('Since').fill('2090-01-01')
    await visit.page.getByText('No posts match.').waitFor()
    await visit.page.getByLabel('Since').fill('')
    await shows(4)
  })

  test('appear when somebody asks for those that came meanwhile', async () => {
    visit.origin.route('/de', { contentType: RSS, body: feedIn('de', ['Sturm', 'Flut']) })
    await visit.api('POST', `/api/users/default/podcasts/default/sources/${german}/poll?wait=true`)
    await visit.button('Show 1 new post').click()
    await shows(5)
    await visit.link('Flut').waitFor()
  })

  test('from right to left are read from right to left', async () => {
    const link = visit.page.getByRole('link', { name: 'عاصفة في الميناء' })
    const directionOf = (selector: string) =>
      visit.page.evaluate<string>(`getComputedStyle([...document.querySelectorAll('${selector}')].at(-1)).direction`)
    assert.equal(await directionOf('.posts [lang=ar]'), 'rtl')
    await link.click()
    await visit.page.getByRole('heading', { level: 1, name: 'عاصفة في الميناء' }).waitFor()
    assert.equal(await directionOf('h1'), 'rtl')
    await visit.page.goBack()
    await shows(5)
  })

  /** Answers searches for storms in the place of the server, but for null. A list without a search may still be on its way. */
  const answerSearches = (answer: (cursor: string | null) => unknown) =>
    visit.page.route(/\/api\/.*\/posts\?.*\bq=Storm/, async (route) => {
      const url = new URL(route.request().url())
      const json = await answer(url.searchParams.get('cursor'))
      if (json !== null) return route.fulfill({ json })
      url.searchParams.delete('cursor')
      await route.fulfill({ response: await route.fetch({ url: url.href }) })
    })

  const letServerAnswer = async () => {
    await visit.page.unrouteAll({ behavior: 'wait' })
    await visit.open('/posts', 'Posts')
    await shows(5)
  }

  test('are searched on while pages come without any, and the list says so meanwhile', async () => {
    const last = Promise.withResolvers<void>()
    const asked: (string | null)[] = []
    await answerSearches(async (cursor) => {
      asked.push(cursor)
      if (asked.length <= 2) return { items: [], nextCursor: `page-${asked.length}` }
      await last.promise
      return null
    })
    try {
      await visit.open('/posts?q=Storm', 'Posts')
      const searching = visit.page.getByText('Searching older posts')
      await searching.waitFor()
      await until('it went on twice', () => asked.length === 3)
      assert.deepEqual(asked, [null, 'page-1', 'page-2'])
      assert.equal(await visit.page.getByText('No posts match.').count(), 0)
      last.resolve()
      await shows(1)
      await searching.waitFor({ state: 'detached' })
    } finally {
      last.resolve()
      await letServerAnswer()
    }
  })

  test('are searched on when the list was read again while the next page was on its way', async () => {
    const [overtaken, asked] = [Promise.withResolvers<void>(), [] as (string | null)[]]
    await answerSearches(async (cursor) => {
      const times = asked.push(cursor)
      if (cursor === null) return { items: [], nextCursor: 'page-1' }
      if (times === 2) await overtaken.promise
      return null
    })
    try {
      await visit.open('/posts?q=Storm', 'Posts')
      await until('the next page is on its way', () => asked.length === 2)
      const changeInOtherTab = `new BroadcastChannel('tidings-changes').postMessage('changed')`
      await visit.page.evaluate(changeInOtherTab)
      await until('the first page was read again', () => asked.length >= 3)
      overtaken.resolve()
      await shows(1)
      assert.deepEqual(asked, [null, 'page-1', null, 'page-1'])
      const readAgain = visit.page.waitForResponse(/\/posts\?/)
      await visit.page.evaluate(changeInOtherTab)
      await (await readAgain).finished()
      await visit.page.evaluate('new Promise((shown) => requestAnimationFrame(() => setTimeout(shown)))')
      assert.equal(await posts().count(), 1, 'what was found further on stays')
      assert.equal(asked.length, 5)
    } finally {
      overtaken.resolve()
      await letServerAnswer()
    }
  })

  test('load no media before somebody plays them, and can be copied', async () => {
    await visit.link('Storm').click()
    await visit.page.locator('audio[controls][preload=none]').waitFor()
    assert.equal(visit.origin.requestsTo('/episode.mp3').length, 0)
    await visit.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await visit.button('Copy as Markdown').click()
    await visit.notice('Markdown copied.')
    const copied = await visit.page.evaluate<string>('navigator.clipboard.readText()')
    assert.match(copied, /^# \[Storm\]\(.*\)[\s\S]*Storm in full\.$/)
  })

  test('that do not exist say so', async () => {
    await visit.open('/posts/999999', 'No such post')
    await until('the browser complains', () => visit.complaints.length > 0)
    assert.match(visit.complaints.pop() ?? '', /status of 404/)
  })

  test('gave the browser nothing to complain about', () => {
    assert.deepEqual(visit.complaints, [])
  })
})
