// Reads posts or articles in some order. Rows of removed sources, which wait to be deleted, are left out. There may be
// very many of them, and one long statement would block the event loop, so rows are read a page at a time.
import type { Db, Param, Row } from '../database/db.ts'

export interface RowScan {
  readonly table: 'posts' | 'articles'
  readonly where: string
  readonly params: readonly Param[]
  readonly order: string
  readonly start: readonly number[]
  keyOf(row: Row): readonly number[]
  /** The rows that follow a key, as one or more ranges in order. */
  after(key: readonly number[]): readonly KeyRange[]
}

/** Rows of several scans with the same order, which is by id alone. */
export async function visibleRowsOf(db: Db, scans: readonly RowScan[], wanted: number): Promise<Row[]> {
  const [only, ...others] = scans
  if (!only) return []
  if (others.length === 0) return visibleRows(db, only, wanted)
  const found: Row[] = []
  for (const scan of scans) found.push(...(await visibleRows(db, scan, wanted)))
  const direction = only.order.endsWith('DESC') ? -1 : 1
  return found.sort((a, b) => direction * (Number(a.id) - Number(b.id))).slice(0, wanted)
}

type KeyRange = readonly [condition: string, ...params: (Param | undefined)[]]

export async function visibleRows(db: Db, scan: RowScan, wanted: number): Promise<Row[]> {
  const found: Row[] = []
  let ranges = [...scan.after(scan.start)]
  for (let range = ranges.shift(); range && found.length < wanted; range = ranges.shift()) {
    const rows = await rowsInRange(db, scan, range, wanted)
    found.push(...rows.filter((row) => row.owner !== null))
    const last = rows.at(-1)
    if (last && rows.length === wanted) ranges = [...scan.after(scan.keyOf(last))]
  }
  return found.slice(0, wanted)
}

function rowsInRange(db: Db, scan: RowScan, [condition, ...key]: KeyRange, wanted: number): Promise<Row[]> {
  return db.all(
    `SELECT t.*, s.id AS owner FROM (
       SELECT * FROM ${scan.table} WHERE ${scan.where} AND ${condition} ORDER BY ${scan.order} LIMIT ?) AS t
     LEFT JOIN sources s ON s.id = t.source_id ORDER BY ${scan.order.replace(/\b(created_at|id)\b/g, 't.$1')}`,
    [...scan.params, ...(key as Param[]), wanted],
  )
}

export const oldestFirst: Pick<RowScan, 'order' | 'keyOf' | 'after'> = {
  order: 'id',
  keyOf: (row) => [Number(row.id)],
  after: ([id]) => [['id > ?', id]],
}

export const newestFirst: Pick<RowScan, 'order' | 'keyOf' | 'after'> = {
  order: 'id DESC',
  keyOf: (row) => [Number(row.id)],
  after: ([id]) => [['id < ?', id]],
}

export const newestCreatedFirst: Pick<RowScan, 'order' | 'keyOf' | 'after'> = {
  order: 'created_at DESC, id DESC',
  keyOf: (row) => [Number(row.created_at), Number(row.id)],
  // Two ranges: for (created_at, id) < (?, ?) SQLite does not use the index for id if id is the rowid, and a poll may
  // store thousands of posts with the same created_at.
  after: ([createdAt, id]) => [
    ['created_at = ? AND id < ?', createdAt, id],
    ['created_at < ?', createdAt],
  ],
}
