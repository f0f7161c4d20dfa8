// 5,000 hosts on the timeline: it opens, scrolls and zooms as if they were few, because only the lanes near the screen are
// drawn.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { until } from '../support/until.ts'
import { LONGEST_TASK_WHILE_SCROLLING } from './longest-task.ts'
import { feed, openVisit, type Visit } from './visit.ts'

const MANY = 5000

/** Notes every time that the page was busy for more than 50 ms. */
const WATCH_TASKS = `(() => {
  window.longTasks = []
  new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask' })
})()`
const LONGEST_TASK = 'Math.max(0, ...longTasks)'
const TWO_FRAMES = 'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))'

/** Copies the one host with its source and its poll, each poll some seconds before the last. */
function copyHost(file: string): void {
  using database = new DatabaseSync(file, { timeout: 120_000 })
  const host = `printf('host-%04d.example', n)`
  const url = `'https://' || ${host} || '/feed'`
  const id = `printf('many-%06d', n)`
  const own: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    sources: { id, url, url_key: url, url_hash: 'n', search: url, sort_name: url, host, lane: host },
    hosts: { host, lane: host, name: host },
    polls: { id: 'n + 100', source_id: id, started_at: 'one.started_at - (n % 1800) * 1000' },
  }
  for (const [table, replaced] of Object.entries(own)) {
    const names = database.prepare(`SELECT name FROM pragma_table_info('${table}')`).all()
    const columns = names.map(({ name }) => String(name))
    database.exec(`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${MANY - 1})
      INSERT INTO ${table} (${columns.join(', ')})
      SELECT ${columns.map((name) => replaced[name] ?? `one.${name}`).join(', ')}
      FROM numbers, (SELECT * FROM ${table} LIMIT 1) AS one`)
  }
}

/** Its poll was 1,700 seconds before the last one, and so on none of the first pages. */
const HALF_AN_HOUR_AGO = 'host-1700.example'

/** Where in the picture of the first lane the first bar with new posts stands, from 0 to 1. */
const BAR_PLACE = `(() => {
  const canvas = document.querySelector('.lanes li canvas')
  if (!canvas?.width) return null
  const [red, green, blue] = getComputedStyle(canvas).getPropertyValue('--accent').match(/\\d+/g).map(Number)
  const { data, width } = canvas.getContext('2d').getImageData(0, canvas.height >> 1, canvas.width, 1)
  for (let x = 0; x < width; x++)
    if (data[x * 4] === red && data[x * 4 + 1] === green && data[x * 4 + 2] === blue) return x / width
  return null
})()`

describe('5,000 hosts', () => {
  let visit: Visit
  const rows = () => visit.page.locator('.lanes li')
  const barPlace = () => visit.page.evaluate<number | null>(BAR_PLACE)

  /** Whatever the page asks for from now on is answered when it is let go. */
  async function holdAnswers() {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
    await visit.page.route(/\/api\/(polls|hosts|users)/, async (route) => {
      ask()
      await gate
      await route.continue().catch(() => {})
    })
    return {
      asked,
      async letGo() {
        open()
        await visit.page.unrouteAll({ behavior: 'wait' })
      },
    }
  }

  before(async () => {
    visit = await openVisit({ env: { APP_SOURCE_TICK_SECONDS: '3600' } })
    visit.origin.route('/feed', { contentType: 'application/rss+xml', body: feed('Harbour', ['Tide']) })
    await visit.source('/feed', { pollIntervalMinutes: 600 })
    copyHost(join(visit.shell.folder, 'tidings.db'))
  })
  after(() => visit?.[Symbol.asyncDispose]())

  test('are on the timeline within seconds, with few rows in the document', async (context) => {
    const startedAt = performance.now()
    await visit.open('/lanes', 'Lanes')
    await rows().first().waitFor()
    context.diagnostic(`the first lanes after ${Math.round(performance.now() - startedAt)} ms`)
    await visit.page.getByText('5,000 hosts').waitFor()
    context.diagnostic(`all hosts after ${Math.round(performance.now() - startedAt)} ms`)
    assert.ok((await rows().count()) < 60)
  })

  test('scroll and zoom with few rows in the document', async (context) => {
    const scrollMs = await visit.page.evaluate<number>(LONGEST_TASK_WHILE_SCROLLING)
    // Times are only told: the machine that runs this test may be busy. What keeps them short is that few rows are drawn,
    // and that a zoom asks for nothing that is known already.
    context.diagnostic(`the longest pause while it scrolls: ${Math.round(scrollMs)} ms`)
    assert.ok((await rows().count()) < 60)
    await visit.page.evaluate(WATCH_TASKS)
    for (const zoom of ['10 minutes', '1 day', '6 hours']) {
      const startedAt = performance.now()
      await visit.page.getByLabel('Zoom').selectOption(zoom)
      await visit.page.evaluate(TWO_FRAMES)
      context.diagnostic(`two frames after zooming to ${zoom}: ${Math.round(performance.now() - startedAt)} ms`)
    }
    const zoomMs = await visit.page.evaluate<number>(LONGEST_TASK)
    context.diagnostic(`the longest pause while it zooms: ${Math.round(zoomMs)} ms`)
    assert.ok((await rows().count()) < 60)
  })

  test('are searched by name', async () => {
    await visit.page.getByRole('searchbox', { name: 'Search hosts' }).fill('host-4321')
    await until('only that one is there', async () => (await rows().count()) === 1)
    await visit.reads(rows(), /^host-4321\.example\s+1 source, last asked/)
  })

  test('are drawn at another zoom at once, before anything was answered', async () => {
    await visit.open(`/lanes?host=${HALF_AN_HOUR_AGO}`, 'Lanes')
    const between = (from: number, to: number) => async () => {
      const place = await barPlace()
      return place !== null && from < place && place < to
    }
    await until('the poll of half an hour ago is on the left', between(0, 0.45))
    const held = await holdAnswers()
    await visit.page.getByLabel('Zoom').selectOption('6 hours')
    await until('it is near now', between(0.45, 2 / 3))
    await held.letGo()
  })

  test('are completed at a longer zoom, as older polls arrive', async () => {
    await visit.open(`/lanes?zoom=10&host=${HALF_AN_HOUR_AGO}`, 'Lanes')
    await visit.reads(rows(), /nothing planned soon|next in/)
    const held = await holdAnswers()
    await visit.page.getByLabel('Zoom').selectOption('1 hour')
    await held.asked
    assert.equal(await barPlace(), null)
    await held.letGo()
    await until('its poll is there', async () => (await barPlace()) !== null)
  })
})
