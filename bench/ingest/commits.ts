// How many polls with a new post clients side by side commit in a second on PostgreSQL, and what a row takes there.
import type pg from 'pg'
import { openStore } from '../../src/storage/open-store.ts'
import { aCandidate, anEvent, aRecord, aSource, poll } from '../../test/store-contract/fixtures.ts'
import { watchLockWaits } from '../workers/lock-waits.ts'
import { BODY } from './entries-origin.ts'

export interface Commits {
  readonly perSecond: number
  /** For locks of others, each poll. */
  readonly waitedMs: number
  /** Those that waited most. */
  readonly statements: readonly string[]
}

let sources = 0

/** Each client with a connection and a source of its own. */
export async function measureCommits(url: string, db: pg.Client, clients: number, seconds: number): Promise<Commits> {
  const stores = await Promise.all(Array.from({ length: clients }, () => openStore(url)))
  const ids = stores.map(() => `client-${++sources}`)
  const source = (id: string) => aSource(id, { host: `${id}.example`, enabled: false })
  await Promise.all(stores.map((store, n) => store.addSource(source(ids[n] ?? ''), [], null)))
  let written = 0
  const lockWaits = watchLockWaits(db)
  const startedAt = performance.now()
  await Promise.all(
    stores.map(async (store, n) => {
      const id = ids[n] ?? ''
      while (performance.now() < startedAt + seconds * 1000) {
        const candidate = aCandidate(`${id} ${++written}`, { body: BODY })
        const effects = {
          record: aRecord(id, { created: 1 }),
          events: [anEvent({ type: 'posts.created', sourceId: id })],
        }
        await poll(store, id, { posts: [candidate], lane: `${id}.example`, effects: { host: {}, ...effects } })
      }
    }),
  )
  const tookMs = performance.now() - startedAt
  const { waiting, statements } = await lockWaits.end()
  for (const store of stores) await store.close()
  return { perSecond: (1000 * written) / tookMs, waitedMs: (waiting * tookMs) / written, statements }
}

export async function rowSizes(db: pg.Client): Promise<string> {
  await db.query('VACUUM FULL')
  const sizes: string[] = []
  for (const tables of [
    ['sources'],
    ['hosts'],
    ['posts', 'posts_text', 'post_contents', 'html_bundles'],
    ['polls'],
    ['lane_hours'],
  ]) {
    const sum = tables.map((table) => `COALESCE(pg_total_relation_size(to_regclass('${table}')), 0)`).join(' + ')
    const { rows } = await db.query(`SELECT (${sum}) / greatest(count(*), 1) AS bytes, count(*) AS n FROM ${tables[0]}`)
    sizes.push(`${tables[0]} ${rows[0].bytes} (of ${rows[0].n})`)
  }
  return sizes.join(', ')
}
