// 100,000 sources: the list opens, scrolls and is searched as if they were few, because only the rows near the screen are
// in the document.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { until } from '../support/until.ts'
import { LONGEST_TASK_WHILE_SCROLLING } from './longest-task.ts'
import { openVisit, SOURCES, type Visit } from './visit.ts'

const MANY = 100_000

/** Copies the one source until there are many. Adding them by the API would take longer than all the other tests. */
function copySource(file: string): void {
  using database = new DatabaseSync(file, { timeout: 120_000 })
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

describe('100,000 sources', () => {
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

  test('fill the width of the table at every size, without an empty column', async () => {
    const left = `(() => {
      const edge = (element) => element.getBoundingClientRect().right
      const shown = [...document.querySelectorAll('table.sources thead th')].filter((cell) => cell.offsetWidth > 0)
      return edge(document.querySelector('table.sources')) - Math.max(...shown.map(edge))
    })()`
    // The spacer for rows below the screen once spanned a hidden column.
    for (const width of [1700, 1400, 1000]) {
      await visit.page.setViewportSize({ width, height: 900 })
      await until(`nothing is left over at ${width} px`, async () => (await visit.page.evaluate<number>(left)) < 3)
    }
    await visit.page.setViewportSize({ width: 1280, height: 720 })
  })

  test('scroll with few rows in the document', async (context) => {
    const longestMs = await visit.page.evaluate<number>(LONGEST_TASK_WHILE_SCROLLING)
    // The time is only told: the machine that runs this test may be busy. What keeps it short is that few rows are drawn.
    context.diagnostic(`the longest pause while it scrolls: ${Math.round(longestMs)} ms`)
    assert.ok((await visit.page.locator('table.sources tbody tr:not(.gap)').count()) < 100)
  })

  test('are enabled all at once where they match, unless that is undone', async () => {
    const enabled = async () => (await visit.api('GET', '/api/status')).totals.enabled
    const enableAll = async (then: 'Undo' | 'Close message') => {
      await visit.page.getByRole('checkbox', { name: 'Select all' }).check()
      await visit.button('Enable').click()
      await visit.pressInMessage('All that match are being enabled.', then)
      await visit.page.getByRole('dialog').getByRole('button', { name: 'Do it to all' }).click()
    }
    await visit.page.getByRole('searchbox', { name: 'Search' }).fill('/99')
    await visit.link('example.org/99/feed').waitFor()
    await enableAll('Undo')
    await visit.notice('Undone: nothing was changed.')
    assert.equal(await enabled(), 0)
    await enableAll('Close message')
    // 99, 990 to 999, 9900 to 9999 and 99000 to 99999.
    await visit.notice('Enabled 1,111 sources.')
    assert.equal(await enabled(), 1111)
  })

  test('are searched among all, not only among those on the page', async () => {
    await visit.page.getByRole('searchbox', { name: 'Search' }).fill('/99999/')
    await visit.link('example.org/99999/feed').waitFor()
    const rows = visit.page.locator('table.sources tbody tr:not(.gap)')
    await until('only the hit is listed', async () => (await rows.count()) === 1)
  })
})
