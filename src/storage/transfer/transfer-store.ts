// Moves a whole store from one engine to the other: every row of every table, as it is, ids included.
//
//   refuse what is in use -> claim the target -> copy table by table -> compare both sides -> remove the mark
//
// Rows and the mark that says how far the copy is are written in one transaction, so it can be killed at any moment.
// Nothing of the source changes, except that its schema is brought up to date.
// See docs/decisions/0153-moving-a-store-row-by-row.md
import { setTimeout } from 'node:timers/promises'
import { Problem } from '../../domain/problem.ts'
import type { Log } from '../../ports/log.ts'
import type { Transfer, TransferOptions, TransferProgress } from '../../ports/store-transfer.ts'
import type { Database, Db } from '../database/db.ts'
import { insertRows } from '../database/insert-rows.ts'
import { migrate } from '../database/migrate.ts'
import { openDatabase } from '../open-store.ts'
import { indexPosts } from '../posts/index-posts.ts'
import { claimTarget } from './claim-target.ts'
import { compareTables, refuseDifferences } from './compare-sides.ts'
import { slicesOf, type Values } from './rows.ts'
import { asMoved, newestIdsOf, replaced, type Sides } from './sides.ts'
import { type Table, tablesToMove } from './tables.ts'
import { refuseUnfinished, removeUnfinished, type Unfinished, writeUnfinished } from './unfinished.ts'

const INDEXING_MS = 10_000
const OTHERS_LEAVE_MS = 3000

export async function transferStore(from: Database, to: Database, options: TransferOptions): Promise<Transfer> {
  await refuseUnfinished(from)
  const tables = await tablesToMove(from, to)
  const total = await countRows(from, tables)
  const { unfinished, began } = await claimTarget(from, to, tables)
  const { ending, onProgress } = options
  const sides: Sides = { from, to, newestIds: await newestIdsOf(from), ending, onProgress, total }
  const copied = await copyTables(sides, tables, unfinished)
  if (copied.finished.length < tables.length) return { kind: 'interrupted', done: copied.rows, total }
  const compared = await compareTables(sides, tables)
  if (compared === null) return { kind: 'interrupted', done: total, total }
  await refuseDifferences(to, compared, copied)
  await to.transaction(async (tx) => {
    if (tx.dialect.transfer.afterCopy !== null) await tx.script(tx.dialect.transfer.afterCopy)
    for (const id of sides.newestIds) await tx.all(tx.dialect.transfer.setNewestId, id)
    await removeUnfinished(tx)
  })
  await indexNewest(to)
  return { kind: 'done', began, tables: compared.map(({ table, source }) => ({ table, ...source })) }
}

/** A `serve` indexes posts in the background. What people search for first is there before. */
async function indexNewest(to: Database): Promise<void> {
  const endAt = performance.now() + INDEXING_MS
  while (performance.now() < endAt && (await indexPosts(to)) > 0) {
    // Some posts at a time.
  }
}

/** Opens one side, with its schema up to date. A database that others use is refused before anything is changed. */
export async function openSide(url: string, log?: Log): Promise<Database> {
  const db = await openDatabase(url, log ? { log } : {})
  try {
    await refuseOthers(db)
    await migrate(db)
    return db
  } catch (error) {
    await db.close()
    throw error
  }
}

/** PostgreSQL counts the connections of a process that has ended for some moments more. */
async function refuseOthers(db: Database): Promise<void> {
  const { countOthers } = db.dialect.transfer
  if (countOthers === null) return
  const endAt = performance.now() + OTHERS_LEAVE_MS
  for (;;) {
    const others = Number((await db.get(countOthers))?.n)
    if (others === 0) return
    if (performance.now() > endAt) {
      throw new Problem(
        'store-in-use',
        `Tidings has ${others} other connections to this database: stop every serve, worker and command that uses it first`,
      )
    }
    await setTimeout(100)
  }
}

async function countRows(db: Db, tables: readonly Table[]): Promise<number> {
  let rows = 0
  for (const { name } of tables) rows += Number((await db.get(`SELECT count(*) AS n FROM ${name}`))?.n)
  return rows
}

/** Returns how far it came. */
async function copyTables(sides: Sides, tables: readonly Table[], begun: Unfinished): Promise<Unfinished> {
  let state = begun
  const progress = (): TransferProgress => ({ phase: 'copied', done: state.rows, total: sides.total })
  sides.onProgress(progress())
  for (const table of tables) {
    if (state.finished.includes(table.name)) continue
    for await (const { rows, last } of slicesOf(sides.from, table, state.lastKey)) {
      if (sides.ending.aborted) return state
      state = { ...state, lastKey: last, rows: state.rows + rows.length }
      await writeSlice(sides, table, rows, state)
      sides.onProgress(progress())
    }
    state = { ...state, finished: [...state.finished, table.name], lastKey: null }
    await sides.to.transaction((tx) => writeUnfinished(tx, state))
  }
  return state
}

async function writeSlice(sides: Sides, table: Table, rows: readonly Values[], state: Unfinished): Promise<void> {
  const { name, columns } = table
  // Triggers count the links of a post while its links are copied.
  const asInserted = (row: Values) => (name === 'posts' ? replaced(table, row, 'links', 0) : row)
  await sides.to.transaction(async (tx) => {
    const moved = rows
      .map((row) => asMoved(table, row, sides.newestIds))
      .filter((row) => row !== null)
      .map(asInserted)
    await insertRows(tx, { table: name, columns, rows: moved, overriding: tx.dialect.transfer.keepIds })
    await writeUnfinished(tx, state)
  })
}
