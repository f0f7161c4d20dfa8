// Pages behind entries, where somebody wants the full text: what their host sees.
import type { Origin } from '../../test/support/origin.ts'
import { feedTo, LONG, page, paths, polled, posts } from '../../test/support/pages-behind.ts'
import { openPostgres } from '../../test/support/postgres.ts'
import { twoProcesses } from '../../test/support/processes.ts'
import { rss } from '../../test/support/product.ts'
import { DAY, drained, HOUR, MINUTE, TEST_START, type World } from '../../test/support/world.ts'
import { type CheckResult, inGroup } from './check.ts'

const check = inGroup('pages behind entries')
const ALWAYS = { content: { fullText: 'always' } }

interface Visited {
  readonly world: World
  readonly pages: Origin
  add(): Promise<unknown>
}

/** A feed on one host, and three pages behind its entries on another. */
const pagesCheck = (property: string, run: (visited: Visited) => Promise<CheckResult>, config: object = ALWAYS) =>
  check(property, async () => {
    const visited = await polled({}, config)
    await using world = visited.world
    feedTo(world, visited.pages, 3)
    return await run(visited)
  })

const asked = (origin: Origin): string => paths(origin).join(' ')
const states = async (world: World) => (await posts(world)).map(({ fullTextState }) => fullTextState).join(' ')

/** Three new entries, a day later each time. */
function edition(world: World, pages: Origin, day: number): void {
  const items = [0, 1, 2].map((n) => ({
    ...{ title: `Day ${day} ${n}`, guid: `${day}-${n}`, body: `Cut on day ${day}, ${n}…`, link: `${pages.url}/p${n}` },
    publishedAt: TEST_START + day * DAY + n * 1000,
  }))
  world.origin.route('/feed', { body: rss(items) })
}

export const PAGES = [
  pagesCheck(
    'no page is asked unless somebody wants full texts',
    async ({ world, pages, add }) => {
      await add()
      await world.pass(31 * MINUTE)
      return { seen: `${pages.requests.length} requests`, expected: '0 requests' }
    },
    {},
  ),
  pagesCheck('robots.txt is asked before the first page, then the pages with the delay of pages', async (visited) => {
    const { world, pages, add } = visited
    await add()
    await world.pass(31 * MINUTE)
    const gaps = pages.requests.slice(1).map(({ at }, n) => (at - (pages.requests[n]?.at ?? 0)) / 1000)
    return {
      seen: `${asked(pages)}, ${gaps.join(', ')} s apart, ${pages.mostAtOnce} at once`,
      expected: '/robots.txt /p2 /p1 /p0, 0, 2, 2 s apart, 1 at once',
    }
  }),
  pagesCheck('robots.txt is asked once a day, also after a restart', async ({ world, pages, add }) => {
    await add()
    await world.pass(31 * MINUTE)
    for (const day of [1, 2]) {
      edition(world, pages, day)
      await world.restart()
      for (let step = 0; step < 4; step++) await world.pass(6 * HOUR + MINUTE)
    }
    const robots = pages.requestsTo('/robots.txt')
    const hours = robots.slice(1).map(({ at }, n) => Math.round((at - (robots[n]?.at ?? 0)) / HOUR))
    const least = Math.min(24, ...hours)
    return {
      seen: `${robots.length} times in 2 days, at least ${least} h apart`,
      expected: '2 times in 2 days, at least 24 h apart',
    }
  }),
  pagesCheck('a page that robots.txt disallows is not asked', async ({ world, pages, add }) => {
    pages.route('/robots.txt', { body: 'User-agent: Tidings\nDisallow: /p1\n' })
    await add()
    await world.pass(31 * MINUTE)
    return {
      seen: `${asked(pages)}: ${await states(world)}`,
      expected: '/robots.txt /p2 /p0: fetched blocked fetched',
    }
  }),
  pagesCheck('a crawl delay is kept, at most a minute', async ({ world, pages, add }) => {
    pages.route('/robots.txt', { body: 'User-agent: *\nCrawl-delay: 900\n' })
    await add()
    await world.pass(31 * MINUTE)
    const gaps = pages.requests.slice(2).map(({ at }, n) => (at - (pages.requests[n + 1]?.at ?? 0)) / 1000)
    return { seen: `${gaps.join(', ')} s apart`, expected: '60, 60 s apart' }
  }),
  pagesCheck('while robots.txt fails no page is asked, and robots.txt once an hour', async ({ world, pages, add }) => {
    pages.route('/robots.txt', { status: 500 })
    await add()
    for (let step = 0; step < 20; step++) await world.pass(10 * MINUTE)
    const minutes = pages.requests.map(({ at }) => Math.floor((at - TEST_START) / MINUTE))
    return {
      seen: `${new Set(paths(pages)).size} address, ${minutes.join(', ')} min`,
      expected: '1 address, 30, 90, 150 min',
    }
  }),
  pagesCheck(
    'of a poll with many new posts only so many pages are asked',
    async ({ world, pages, add }) => {
      await add()
      for (let step = 0; step < 4; step++) await world.pass(31 * MINUTE)
      return {
        seen: `${asked(pages)}: ${await states(world)}`,
        expected: '/robots.txt /p2: fetched skipped skipped',
      }
    },
    { content: { fullText: 'always', maxPagesPerPoll: 1 } },
  ),
  pagesCheck('what was read, refused or not better is not asked again', async ({ world, pages, add }) => {
    pages.route('/p1', { contentType: 'text/html', body: page('Short.') })
    pages.route('/p0', { status: 404 })
    await add()
    for (let step = 0; step < 8; step++) {
      if (step === 3) await world.restart()
      await world.pass(4 * HOUR)
    }
    const pagesAsked = paths(pages).filter((path) => path !== '/robots.txt')
    return {
      seen: `${pagesAsked.join(' ')}: ${await states(world)}`,
      expected: '/p2 /p1 /p0: fetched not-better failed',
    }
  }),
  pagesCheck('a page that fails is tried four times in all', async ({ world, pages, add }) => {
    for (const n of [0, 1]) pages.route(`/p${n}`, { contentType: 'text/html', body: page(`${n} ${LONG}`) })
    pages.route('/p2', { status: 500 })
    await add()
    for (let step = 0; step < 150; step++) await world.pass(5 * MINUTE)
    const tries = pages.requestsTo('/p2').map(({ at }) => at)
    const waits = tries.slice(1).map((at, n) => Math.round((at - (tries[n] ?? 0)) / MINUTE))
    return { seen: `${waits.join(', ')} min apart`, expected: '10, 60, 360 min apart' }
  }),
  pagesCheck('a Retry-After of a page closes the lane for all of them', async ({ world, pages, add }) => {
    pages.route('/p2', { status: 429, headers: { 'retry-after': '3600' } })
    await add()
    for (let step = 0; step < 8; step++) await world.pass(10 * MINUTE)
    const during = asked(pages)
    await world.pass(20 * MINUTE)
    return {
      seen: `${during}, after an hour ${pages.requests.length > 2 ? 'the others' : 'none'}`,
      expected: '/robots.txt /p2, after an hour the others',
    }
  }),
  check('two workers ask each page once, one at a time, with the delay', () => withTwoWorkers()),
]

async function withTwoWorkers(): Promise<CheckResult> {
  await using postgres = await openPostgres()
  await using world = await twoProcesses(postgres)
  const { clock, origin, one, other } = world
  const items = [0, 1, 2, 3].map((n) => ({
    title: `${n}`,
    guid: `${n}`,
    body: `Cut ${n}…`,
    link: `${origin.url}/p${n}`,
  }))
  for (const n of items.keys()) origin.route(`/p${n}`, { contentType: 'text/html', body: page(`${n} ${LONG}`) })
  origin.route('/feed', { body: rss([]) })
  const [id = ''] = await world.addDue('/feed')
  await one.catalogue.sources.update(id, { fullText: 'always' })
  origin.route('/feed', { body: rss(items) })
  const before = origin.requests.length
  await Promise.all([one.engine.tick(), other.engine.tick()])
  await Promise.all([drained(one.engine, clock), drained(other.engine, clock)])
  const seen = origin.requests.slice(before)
  const pages = seen.filter(({ path }) => path.startsWith('/p'))
  const least = Math.min(...pages.slice(1).map(({ at }, n) => at - (pages[n]?.at ?? 0))) / 1000
  const kinds = `${pages.length} pages, ${seen.filter(({ path }) => path === '/robots.txt').length} robots.txt`
  return {
    seen: `${kinds}, ${origin.mostAtOnce} at once, at least ${least >= 2 ? 2 : least} s apart`,
    expected: '4 pages, 1 robots.txt, 1 at once, at least 2 s apart',
  }
}
