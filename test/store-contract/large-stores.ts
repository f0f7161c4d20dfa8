// What is kept up to date so that a very large store answers quickly: counts, and the names of sources.
import assert from 'node:assert/strict'
import type { Source } from '../../src/domain/source.ts'
import type { Store, StoreTotals } from '../../src/ports/store.ts'
import type { Database } from '../../src/storage/database/db.ts'
import { sourcesWithPart } from '../../src/storage/sources/source-texts.ts'
import { addArticles } from '../support/store-and-database.ts'
import { ALL, aCandidate, anArticle, aSource, type Check, NOW, poll, withSources } from './fixtures.ts'

async function counted(db: Database, own: string): Promise<Partial<StoreTotals>> {
  const count = async (sql: string) => Number((await db.get(`SELECT count(${sql} AND ${own}`))?.n)
  const visible = 'AND EXISTS (SELECT 1 FROM sources s WHERE s.id = source_id)'
  return {
    sources: await count('*) AS n FROM sources WHERE 1 = 1'),
    hosts: await count(`DISTINCT lane) AS n FROM sources WHERE lane <> ''`),
    posts: await count(`*) AS n FROM posts WHERE 1 = 1 ${visible}`),
    articles: await count(`*) AS n FROM articles WHERE 1 = 1 ${visible}`),
  }
}

const SCOPES: readonly (readonly [string, { userId: string | null; podcastId?: string }])[] = [
  ['1 = 1', { userId: null }],
  [`podcast_id IN (SELECT id FROM podcasts WHERE user_id = 'u2')`, { userId: 'u2' }],
  [`podcast_id = 'default'`, { userId: null, podcastId: 'default' }],
  [`podcast_id = 'p2'`, { userId: null, podcastId: 'p2' }],
]

async function assertCounted(store: Store, db: Database, after: string): Promise<void> {
  for (const [own, scope] of SCOPES) {
    const { sources, hosts, posts, articles } = await store.totals({ ...scope, now: NOW })
    assert.deepEqual({ sources, hosts, posts, articles }, await counted(db, own), `${after}: ${own}`)
  }
}

async function change(store: Store, id: string, set: Partial<Source>): Promise<void> {
  await store.changeSource(id, () => ({ set, events: [] }))
}

const NAMES = [
  '50% off_today',
  'say "hi" (again)',
  'a\\b c:\\d',
  '新着情報です',
  "l'été AND OR NOT",
  'ÄRGER über*all',
  'Ünïcödé 😀😀😀',
  'a control \u0001\u0001 character\u0001',
]

export function largeStoresContract(check: Check): void {
  check('totals are what counting every row gives, whatever happens', async ({ store, db }) => {
    await store.addUser({ id: 'u2', name: '', createdAt: NOW })
    for (const id of ['p2', 'p3']) {
      await store.addPodcast({ id, userId: 'u2', name: id, topic: null, maxArticleAgeDays: null, createdAt: NOW })
    }
    const step = (name: string) => assertCounted(store, db, name)
    await step('nothing is there')
    for (const n of [1, 2, 3, 4, 5, 6]) {
      const podcastId = n % 3 === 0 ? 'p2' : n % 3 === 1 ? 'default' : 'p3'
      const place = { podcastId, userId: podcastId === 'default' ? 'default' : 'u2' }
      await withSources(
        store,
        aSource(`s${n}`, { ...place, host: `h${n % 4}.example`, lane: n === 6 ? '' : `h${n % 4}.example` }),
      )
      await poll(store, `s${n}`, { posts: [aCandidate(`${n}-1`), aCandidate(`${n}-2`)] })
    }
    await step('sources and posts were added')
    assert.equal(
      await store.addSource(aSource('twin', { urlKey: aSource('s1', { host: 'h1.example' }).urlKey }), [], null),
      'exists',
    )
    await addArticles(db, [anArticle('s1', ['1']), anArticle('s4', [])])
    await step('articles were added, and a source was refused')
    await change(store, 's1', { host: 'h9.example', lane: 'h9.example' })
    await change(store, 's2', { lane: '' })
    await change(store, 's6', { lane: 'h1.example' })
    await step('sources changed their host')
    await change(store, 's1', { podcastId: 'p2' })
    await step('a source moved to another podcast')
    await store.removeSource('s4')
    await step('a source was removed')
    await store.removePodcast('p3')
    await step('a podcast was removed')
    await store.removeUser('u2')
    await step('everything of a user was removed')
  })

  check('a part of a name is found as it stands, whatever characters it has', async ({ store, db }) => {
    await withSources(store, ...NAMES.map((label, n) => aSource(`s${n}`, { label })))
    const found = async (q: string) =>
      (await store.listSources({ ...ALL, podcastId: null, q })).items.map(({ id }) => id).toSorted()
    const expected = (q: string) =>
      NAMES.flatMap((label, n) =>
        `${aSource(`s${n}`).url}\n${label}`.toLowerCase().includes(q.toLowerCase()) ? `s${n}` : [],
      )
    const parts = NAMES.flatMap((name) => [
      name,
      name.slice(1),
      [...name].slice(-3).join(''),
      [...name].slice(0, 2).join(''),
      [...name].slice(-2).join(''),
      [...name].slice(-1).join(''),
    ])
    const asked = [...parts, 'a.example/s3', '%', '_of', '"', '" OR "', 'AND', 'nowhere', '😀', 'ärger']
    const assertFound = async () => {
      for (const q of asked) assert.deepEqual(await found(q), expected(q), q)
    }
    await assertFound()
    await change(store, 's0', { label: 'Quite another' })
    assert.deepEqual([await found('off_today'), await found('another')], [[], ['s0']])
    await change(store, 's0', { label: NAMES[0] ?? '' })
    await store.removeSource('s1')
    assert.deepEqual(await found('again'), [])
    await withSources(store, aSource('s1', { label: NAMES[1] ?? null }))
    // As after an upgrade: the names are not known yet, then some are, then all.
    for (const table of db.dialect.engine === 'sqlite' ? ['source_numbers', 'source_texts'] : ['source_texts']) {
      await db.run(`DELETE FROM ${table}`)
    }
    await db.run(`UPDATE counters SET value = 1 WHERE name IN ('source-texts-backlog', 'source-ends-backlog')`)
    await assertFound()
    assert.equal(await store.indexSources(), NAMES.length)
    await withSources(store, aSource('late', { label: 'Latecomer' }))
    assert.deepEqual(await found('latecomer'), ['late'])
    while ((await store.indexSources()) > 0);
    await store.removeSource('late')
    await assertFound()
    assert.equal(await store.indexSources(), 0)
  })

  check('one or two characters are found by the index, wherever they stand in a name', async ({ store, db }) => {
    await withSources(store, ...NAMES.map((label, n) => aSource(`s${n}`, { label, title: `${label} ${n}` })))
    const characters = NAMES.map((name) => [...name.toLowerCase()])
    const parts = characters.flatMap((all) => all.flatMap((one, n) => [one, all.slice(n, n + 2).join('')]))
    const ends = NAMES.flatMap((_, n) => [`${n}`, ` ${n}`])
    const known = async (part: string) => (await sourcesWithPart(db, part, 100))?.toSorted()
    for (const part of new Set([...parts, ...ends, 'ｚ', 'zq'])) {
      const expected = NAMES.flatMap((label, n) =>
        `${aSource(`s${n}`).url}\n${label}\n${label} ${n}`.toLowerCase().includes(part) ? `s${n}` : [],
      )
      assert.deepEqual(await known(part), expected, part)
    }
    await change(store, 's6', { title: 'Ends in zq' })
    await change(store, 's5', { title: 'Ends in z' })
    assert.deepEqual([await known('zq'), await known('z')], [['s6'], ['s5', 's6']])
    await store.removeSource('s6')
    assert.deepEqual([await known('zq'), await known('z')], [[], ['s5']])
    assert.equal(await sourcesWithPart(db, 'a', 2), null)
  })

  check('names whose ends are not indexed yet are found all the same', async ({ store, db }) => {
    await withSources(store, ...NAMES.map((label, n) => aSource(`s${n}`, { title: `${label} q${n}` })))
    const found = async (q: string) =>
      (await store.listSources({ ...ALL, podcastId: null, q })).items.map(({ id }) => id).toSorted()
    // As after an upgrade: the index knows parts of three characters, and one source came since.
    if (db.dialect.engine === 'sqlite') await db.run('DELETE FROM source_texts WHERE rowid < 0')
    await db.run(`UPDATE counters SET value = 1 WHERE name = 'source-ends-backlog'`)
    await withSources(store, aSource('late', { title: 'Late q9' }))
    const assertFound = async () => {
      assert.deepEqual([await found('q3'), await found('q9'), await found(' q3')], [['s3'], ['late'], ['s3']])
      assert.deepEqual(await found('q'), [...NAMES.map((_, n) => `s${n}`), 'late'].toSorted())
    }
    await assertFound()
    while ((await store.indexSources()) > 0);
    await assertFound()
    assert.deepEqual(await sourcesWithPart(db, 'q3', 100), ['s3'])
  })

  check('a source is found by its address, as it was given and as it is compared', async ({ store }) => {
    const [url, urlKey] = ['HTTPS://A.example/Feed#x', 'https://a.example/Feed']
    await withSources(store, aSource('s1', { url, urlKey }), aSource('s2'))
    for (const asked of [url, urlKey]) {
      const { items } = await store.listSources({ ...ALL, podcastId: null, url: asked })
      assert.deepEqual(
        items.map(({ id }) => id),
        ['s1'],
        asked,
      )
    }
    assert.deepEqual((await store.listSources({ ...ALL, podcastId: null, url: 'https://a.example/feed' })).items, [])
  })
}
