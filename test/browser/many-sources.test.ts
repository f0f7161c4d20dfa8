// 100,000 sources: the list opens, scrolls and is searched as if they were few, because only the rows near the screen are
// in the document.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { until } from '../support/until.ts'
import { openVisit, SOURCES, type Visit } from './visit.ts'

const MANY = 100_000

/** The longest time in milliseconds that a script kept the page busy while it scrolled down. */
const LONGEST_TASK = `new Promise((resolve) => {
  let longest = 0
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longest = Math.max(longest, duration)
  }).observe({ type: 'longtask' })
  let frames = 0
  const frame = () => {
    scrollBy(0, 300)
    if (++frames < 60) requestAnimationFrame(frame)
    else setTimeout(() => resolve(longest), 200)
  }
  requestAnimationFrame(frame)
})`

/** Copies the one source until there are many. Adding them by the API would take longer than all the other tests. */
function copySource(file: string): void {
  using database = new DatabaseSync(file, { timeout: 20_000 })
  const columns = database.prepare(`SELECT name FROM pragma_table_info('sources')`).all()
  const url = `'https://example.org/' || n || '/feed'`
  const own: Readonly<Record<string, string>> = {
    ...{ id: `printf('many-%06d', n)`, url, url_key: url, url_hash: 'n', search: url, sort_name: url },
  }
  const names = columns.map(({ name }) => String(name))
  database.exec(`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${MANY - 1})
    INSERT INTO sources (${names.join(', ')})
    SELECT ${names.map((name) => own[name] ?? `one.${name}`).join(', ')} FROM numbers, (SELECT * FROM sources) AS one`)
}

describe('100,000 sources', { timeout: 180_000 }, () => {
  let visit: Visit

  before(async () => {
    visit = await openVisit({ env: { APP_SOURCE_TICK_SECONDS: '3600' } })
    const url = 'https://example.org/0/feed'
    await visit.api('POST', SOURCES, { type: 'rss', url, validate: false, enabled: false })
    copySource(join(visit.shell.folder, 'tidings.db'))
  })
  after(() => visit?.[Symbol.asyncDispose]())

  test('open with few rows in the document, and more come as one scrolls', async () => {
    await visit.open('/sources', 'Sources')
    await visit.page.locator('table.sources tbody tr:not(.gap)').first().waitFor()
    assert.ok((await visit.page.locator('table.sources tbody tr').count()) < 60)
    const height = () => visit.page.evaluate<number>('document.documentElement.scrollHeight')
    const before = await height()
    await visit.page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    await until('more rows are there', async () => (await height()) > before)
    assert.ok((await visit.page.locator('table.sources tbody tr').count()) < 60)
  })

  test('scroll without a long pause', async () => {
    const longestMs = await visit.page.evaluate<number>(LONGEST_TASK)
    // A tenth of a second is what people notice. The machine that runs this test may be busy.
    assert.ok(longestMs < 300, `${Math.round(longestMs)} ms`)
  })

  test('are searched among all, not only among those on the page', async () => {
    await visit.page.getByRole('searchbox', { name: 'Search' }).fill('/99999/')
    await visit.link('example.org/99999/feed').waitFor()
    assert.equal(await visit.page.locator('table.sources tbody tr:not(.gap)').count(), 1)
  })
})
