// Lists of sources in every order, page by page.
import assert from 'node:assert/strict'
import { healthOf, URGENT_FIRST } from '../../src/domain/health.ts'
import { Problem } from '../../src/domain/problem.ts'
import { nameOf, type Source } from '../../src/domain/source.ts'
import { SOURCE_SORTS, type SourceQuery, type SourceSort } from '../../src/ports/source-store.ts'
import type { Store } from '../../src/ports/store.ts'
import { aCandidate, aSource, type Check, NOW, poll, withSources } from './fixtures.ts'

/** Many have the same values: a page must not end between them. */
const SOURCES: readonly Source[] = Array.from({ length: 23 }, (_, n) =>
  aSource(`s${String(n).padStart(2, '0')}`, {
    createdAt: NOW + (n % 5),
    label: n % 4 === 0 ? null : `Name ${n % 3}`,
    title: n % 2 === 0 ? 'ÄRGER' : null,
    enabled: n % 7 !== 0,
    consecutiveFailures: n % 5 === 0 ? 2 : 0,
    lastSucceededAt: n % 3 === 0 ? NOW : null,
    nextPollAt: n % 3 === 0 ? null : NOW + (n % 4),
    lastPolled: n % 4 === 0 ? null : NOW - (n % 3),
  }),
)

type Value = (source: Source) => string | number

const VALUES: Readonly<Record<SourceSort['by'], Value>> = {
  created: ({ createdAt }) => createdAt,
  title: (source) => (nameOf(source) ?? source.url).toLowerCase(),
  health: (source) => URGENT_FIRST.indexOf(healthOf(source)),
  nextPollAt: ({ nextPollAt }) => nextPollAt ?? Number.MAX_SAFE_INTEGER,
  lastPolled: ({ lastPolled }) => lastPolled ?? -1,
  postCount: ({ postCount }) => postCount,
}

/** Text by its bytes, as both engines compare it. */
function compare(a: string | number, b: string | number): number {
  return typeof a === 'number' ? a - Number(b) : Buffer.compare(Buffer.from(a), Buffer.from(String(b)))
}

async function filled(store: Store): Promise<Source[]> {
  await withSources(store, ...SOURCES)
  for (const [index, { id }] of SOURCES.entries()) {
    const posts = Array.from({ length: index % 3 }, (_, n) => aCandidate(`${id}-${n}`))
    await poll(store, id, { posts })
  }
  return (await store.listSources({ podcastId: null, limit: 500, cursor: null })).items as Source[]
}

async function pages(store: Store, query: Partial<SourceQuery>): Promise<Source[]> {
  const found: Source[] = []
  let cursor: string | null = null
  do {
    const page = await store.listSources({ podcastId: 'default', ...query, limit: 4, cursor })
    found.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null)
  return found
}

export function sortedSourcesContract(check: Check): void {
  check('sources are listed in every order, both ways, and no page loses or repeats one', async ({ store }) => {
    const all = await filled(store)
    for (const by of SOURCE_SORTS) {
      for (const isDescending of [false, true]) {
        const listed = await pages(store, { sort: { by, isDescending } })
        const ids = listed.map(({ id }) => id)
        assert.deepEqual(ids.toSorted(), all.map(({ id }) => id).toSorted(), by)
        const values = listed.map(VALUES[by])
        const inOrder = values.toSorted(compare)
        assert.deepEqual(values, isDescending ? inOrder.reverse() : inOrder, `${by} ${isDescending}`)
      }
    }
  })

  check('filters and orders go together', async ({ store }) => {
    const all = await filled(store)
    for (const by of SOURCE_SORTS) {
      const listed = await pages(store, { q: 'name 1', sort: { by, isDescending: true } })
      assert.deepEqual(
        listed.map(({ id }) => id).toSorted(),
        all
          .filter(({ label }) => label === 'Name 1')
          .map(({ id }) => id)
          .toSorted(),
        by,
      )
      const failing = await pages(store, { health: 'failing', sort: { by, isDescending: false } })
      assert.deepEqual(
        failing.map(({ id }) => id).toSorted(),
        all
          .filter((source) => healthOf(source) === 'failing')
          .map(({ id }) => id)
          .toSorted(),
        by,
      )
    }
  })

  check('the sources of a host, of a user and of a health are listed alike in every order', async ({ store }) => {
    await filled(store)
    await store.addUser({ id: 'u2', name: '', createdAt: NOW })
    await store.addPodcast({ id: 'p2', userId: 'u2', name: '', topic: null, maxArticleAgeDays: null, createdAt: NOW })
    const elsewhere = { podcastId: 'p2', userId: 'u2', host: 'b.example', lane: 'b.example' }
    const accounts = { ...elsewhere, type: 'twitter' as const, host: 'x.com', lane: 'x:u2' }
    for (const n of [3, 1, 2]) {
      await withSources(store, aSource(`b${n}`, { ...elsewhere, createdAt: NOW + n }))
      await withSources(store, aSource(`x${n}`, { ...accounts, consecutiveFailures: n % 2, createdAt: NOW + n }))
    }
    const ids = async (query: Partial<SourceQuery>) =>
      (await pages(store, { podcastId: null, ...query })).map(({ id }) => id)
    for (const by of SOURCE_SORTS) {
      for (const isDescending of [false, true]) {
        const sort = { by, isDescending }
        const all = await ids({ sort })
        const among = (wanted: readonly string[]) => all.filter((id) => wanted.includes(id))
        assert.deepEqual(await ids({ sort, host: 'x.com' }), among(['x1', 'x2', 'x3']))
        assert.deepEqual(await ids({ sort, host: 'x:u2', health: 'failing' }), among(['x1', 'x3']))
        assert.deepEqual(await ids({ sort, host: 'b.example', q: 'b2' }), among(['b2']))
        assert.deepEqual(await ids({ sort, userId: 'u2' }), among(['b1', 'b2', 'b3', 'x1', 'x2', 'x3']))
        assert.deepEqual(await ids({ sort, host: 'b.example', userId: 'default' }), [])
        const failing = new Set(await ids({ health: 'failing' }))
        assert.deepEqual(
          await ids({ sort, health: 'failing' }),
          all.filter((id) => failing.has(id)),
          by,
        )
      }
    }
  })

  check('a cursor of another order is refused', async ({ store }) => {
    await filled(store)
    const query = { podcastId: 'default', limit: 2 }
    const first = await store.listSources({ ...query, cursor: null, sort: { by: 'title', isDescending: false } })
    for (const by of ['created', 'title', 'health'] as const) {
      await assert.rejects(
        store.listSources({ ...query, cursor: first.nextCursor, sort: { by, isDescending: true } }),
        (error) => error instanceof Problem && error.code === 'invalid-input',
        by,
      )
    }
  })

  check('a source is found and sorted by its own title once a document has stated it', async ({ store }) => {
    await withSources(store, aSource('s1'), aSource('s2', { label: 'Mm' }))
    const stated = { title: 'Zebra News', siteUrl: 'https://a.example/', language: 'de' }
    await poll(store, 's1', { effects: { source: stated } })
    const { title, siteUrl, language } = (await store.getSource('s1')) as Source
    assert.deepEqual({ title, siteUrl, language }, stated)
    const ids = async (query: Partial<SourceQuery>) => (await pages(store, query)).map(({ id }) => id)
    assert.deepEqual(await ids({ q: 'zebra' }), ['s1'])
    assert.deepEqual(await ids({ sort: { by: 'title', isDescending: false } }), ['s2', 's1'])
    await poll(store, 's1', { effects: { source: { ...stated, title: 'Aardvark' } } })
    assert.deepEqual(await ids({ q: 'zebra' }), [])
    assert.deepEqual(await ids({ sort: { by: 'title', isDescending: false } }), ['s1', 's2'])
  })
}
