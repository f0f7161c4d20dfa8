// Posts and articles in some order, without those whose source was removed and which wait to be deleted. They are
// passed over a page at a time: there may be very many of them, and one long statement would hold the event loop.
import type { Db, Param, Row } from '../database/db.ts'

export interface Walk {
  readonly table: 'posts' | 'articles'
  readonly where: string
  readonly params: readonly Param[]
  readonly order: string
  readonly start: readonly number[]
  keyOf(row: Row): readonly number[]
  /** What lies beyond a key, in parts that follow each other. */
  beyond(key: readonly number[]): readonly Part[]
}

type Part = readonly [condition: string, ...params: (Param | undefined)[]]

export async function visibleRows(db: Db, walk: Walk, wanted: number): Promise<Row[]> {
  const found: Row[] = []
  let parts = [...walk.beyond(walk.start)]
  for (let part = parts.shift(); part && found.length < wanted; part = parts.shift()) {
    const rows = await rowsOf(db, walk, part, wanted)
    found.push(...rows.filter((row) => row.owner !== null))
    const last = rows.at(-1)
    if (last && rows.length === wanted) parts = [...walk.beyond(walk.keyOf(last))]
  }
  return found.slice(0, wanted)
}

function rowsOf(db: Db, walk: Walk, [condition, ...key]: Part, wanted: number): Promise<Row[]> {
  return db.all(
    `SELECT t.*, s.id AS owner FROM (
       SELECT * FROM ${walk.table} WHERE ${walk.where} AND ${condition} ORDER BY ${walk.order} LIMIT ?) AS t
     LEFT JOIN sources s ON s.id = t.source_id ORDER BY ${walk.order.replace(/\b(created_at|id)\b/g, 't.$1')}`,
    [...walk.params, ...(key as Param[]), wanted],
  )
}

export const oldestFirst: Pick<Walk, 'order' | 'keyOf' | 'beyond'> = {
  order: 'id',
  keyOf: (row) => [Number(row.id)],
  beyond: ([id]) => [['id > ?', id]],
}

export const newestFirst: Pick<Walk, 'order' | 'keyOf' | 'beyond'> = {
  order: 'id DESC',
  keyOf: (row) => [Number(row.id)],
  beyond: ([id]) => [['id < ?', id]],
}

export const newestCreatedFirst: Pick<Walk, 'order' | 'keyOf' | 'beyond'> = {
  order: 'created_at DESC, id DESC',
  keyOf: (row) => [Number(row.created_at), Number(row.id)],
  // Two parts, because SQLite does not use an index for the second half of (created_at, id) < (?, ?) where id is the
  // row's own number, and a poll may store thousands of posts at one instant.
  beyond: ([createdAt, id]) => [
    ['created_at = ? AND id < ?', createdAt, id],
    ['created_at < ?', createdAt],
  ],
}
