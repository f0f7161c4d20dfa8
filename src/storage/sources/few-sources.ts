// Sources that an index finds, where they are few. A list then reads those alone, in whatever order is asked for.
// Otherwise it would look through all sources in that order, for a page that a few of a million can fill.

import { FEED_TYPE } from '../../domain/feed-type.ts'
import { ownerLane } from '../../domain/lane.ts'
import type { SourceTypes } from '../../domain/source-type.ts'
import type { SourceQuery } from '../../ports/source-store.ts'
import type { Db, Param } from '../database/db.ts'
import { HEALTH_CONDITIONS } from './health-conditions.ts'
import { urlHash } from './source-row.ts'
import { sourcesWithPart } from './source-texts.ts'

/** Beyond this many, those that fit are found quickly in any order. */
const FEW = 2000

export interface Condition {
  readonly sql: string
  readonly params: readonly Param[]
}

/** Ids of all sources that the query can answer, and possibly of others; null where no filter leaves few. */
export async function fewSources(db: Db, types: SourceTypes, query: SourceQuery): Promise<readonly string[] | null> {
  const { host, health, userId, q, url, type } = query
  if (url) {
    const named = await sourcesWithUrl(db, url)
    if (named) return named
  }
  if (host) {
    const ofHost = await sourcesOfHost(db, types, host, FEW)
    if (ofHost) return ofHost
  }
  if (q) {
    const named = await sourcesWithPart(db, q, FEW)
    if (named) return named
  }
  if (type && type !== FEED_TYPE.name) {
    const sql = `type = ? AND type <> '${FEED_TYPE.name}'`
    const ofType = await atMost(db, FEW, { sql, params: [type] })
    if (ofType) return ofType
  }
  // An index has the sources of a health in the order of creation, and of a podcast in any order.
  if (health && health !== 'ok' && !isInOrderOfHealth(query)) {
    const sick = await atMost(db, FEW, { sql: HEALTH_CONDITIONS[health], params: [] })
    if (sick) return sick
  }
  return userId ? atMost(db, FEW, ownedBy(userId)) : null
}

/** As it is compared, or as a person gave it. */
async function sourcesWithUrl(db: Db, url: string): Promise<string[] | null> {
  const given = await sourcesWithPart(db, url, FEW)
  const sql = 'podcast_id IN (SELECT id FROM podcasts) AND url_hash = ?'
  const compared = given && (await atMost(db, FEW, { sql, params: [urlHash(url)] }))
  return compared && [...new Set([...given, ...compared])]
}

export function ownedBy(userId: string): Condition {
  return { sql: 'podcast_id IN (SELECT id FROM podcasts WHERE user_id = ?)', params: [userId] }
}

/** Sources of a host are in its lane, but for those that ask a service by their owner's key. null: more than `most`. */
export async function sourcesOfHost(db: Db, types: SourceTypes, host: string, most: number): Promise<string[] | null> {
  const found = await atMost(db, most, { sql: 'lane = ?', params: [host] })
  if (!found) return null
  for (const service of types.services) {
    // The character after a colon is a semicolon.
    const lanes = [ownerLane(service, ''), `${service};`]
    const asking = await atMost(db, most - found.length, { sql: 'lane >= ? AND lane < ?', params: lanes })
    if (!asking) return null
    found.push(...asking)
  }
  return found
}

function isInOrderOfHealth({ sort, host, q, type, url, userId }: SourceQuery): boolean {
  const byCreation = !sort || sort.by === 'created' || sort.by === 'health'
  return byCreation && !host && !q && !type && !url && !userId
}

async function atMost(db: Db, most: number, { sql, params }: Condition): Promise<string[] | null> {
  const rows = await db.all(`SELECT id FROM sources WHERE ${sql} LIMIT ?`, [...params, most + 1])
  return rows.length > most ? null : rows.map((row) => row.id as string)
}
