// Reads everything on both sides once more and compares it, by the number of rows and a hash of all of them.
import { Problem } from '../../domain/problem.ts'
import type { TransferredTable } from '../../ports/store-transfer.ts'
import type { Database, Db } from '../database/db.ts'
import { Fingerprint, slicesOf } from './rows.ts'
import { asMoved, type Sides } from './sides.ts'
import type { Table } from './tables.ts'
import { type Unfinished, writeUnfinished } from './unfinished.ts'

export interface Compared {
  readonly table: string
  readonly source: Omit<TransferredTable, 'table'>
  readonly target: Omit<TransferredTable, 'table'>
}

/** Returns null if it was interrupted. */
export async function compareTables(sides: Sides, tables: readonly Table[]): Promise<Compared[] | null> {
  const compared: Compared[] = []
  let done = 0
  const onRows = (rows: number): void => {
    done += rows
    sides.onProgress({ phase: 'verified', done, total: sides.total })
  }
  for (const table of tables) {
    const source = await fingerprintOf(sides.from, table, sides, onRows)
    const target = await fingerprintOf(sides.to, table, sides, () => {})
    if (source === null || target === null) return null
    compared.push({ table: table.name, source, target })
  }
  return compared
}

async function fingerprintOf(
  db: Db,
  table: Table,
  { newestIds, ending }: Sides,
  onRows: (rows: number) => void,
): Promise<Compared['source'] | null> {
  const fingerprint = new Fingerprint()
  for await (const slice of slicesOf(db, table, null)) {
    if (ending.aborted) return null
    for (const row of slice.rows) {
      const moved = asMoved(table, row, newestIds)
      if (moved) fingerprint.add(moved)
    }
    onRows(slice.rows.length)
  }
  const { rows, checksum } = fingerprint
  return { rows, checksum }
}

/** The next run copies everything again. */
export async function refuseDifferences(
  to: Database,
  compared: readonly Compared[],
  copied: Unfinished,
): Promise<void> {
  const differing = compared.filter(({ source, target }) => source.checksum !== target.checksum)
  if (differing.length === 0) return
  await to.transaction((tx) => writeUnfinished(tx, { ...copied, state: 'differs' }))
  const found = differing.map(({ table, source, target }) => `${table} (${source.rows} rows, copied ${target.rows})`)
  throw new Problem(
    'conflict',
    `The copy is not the same as the source: ${found.join(', ')}. Something changed the source meanwhile. Stop what uses it, and run this again: it copies everything anew.`,
  )
}
