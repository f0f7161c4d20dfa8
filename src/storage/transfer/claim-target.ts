// Whether the target may be written to. It must be empty, or hold the unfinished copy of the same source.
import { DEFAULT_ID } from '../../domain/person.ts'
import { Problem } from '../../domain/problem.ts'
import type { Database, Db } from '../database/db.ts'
import type { Table } from './tables.ts'
import { identityOf, readUnfinished, stateOf, type Unfinished, writeUnfinished } from './unfinished.ts'

/** Every store has a default user and podcast. What polls leave behind needs a source. */
const MADE_BY_PEOPLE: Readonly<Record<string, string>> = {
  users: `id <> '${DEFAULT_ID}'`,
  podcasts: `id <> '${DEFAULT_ID}'`,
  tokens: '1 = 1',
  secrets: '1 = 1',
  sources: '1 = 1',
  posts: '1 = 1',
  articles: '1 = 1',
  webhooks: '1 = 1',
}

export interface Claimed {
  readonly unfinished: Unfinished
  readonly began: 'fresh' | 'resumed' | 'again'
}

export async function claimTarget(from: Db, to: Database, tables: readonly Table[]): Promise<Claimed> {
  const [source, state] = [await identityOf(from), await stateOf(from)]
  const before = await readUnfinished(to)
  if (before === null) await refuseUnlessEmpty(to)
  else if (before.source !== source) {
    throw new Problem(
      'conflict',
      'The target holds the unfinished copy of another store: finish that one, or choose an empty target.',
    )
  } else if (before.state === state) return { unfinished: before, began: 'resumed' }
  const unfinished = { source, state, finished: [], lastKey: null, rows: 0 }
  await to.transaction(async (tx) => {
    await tx.script(tx.dialect.transfer.empty(tables.map(({ name }) => name)))
    await writeUnfinished(tx, unfinished)
  })
  return { unfinished, began: before === null ? 'fresh' : 'again' }
}

async function refuseUnlessEmpty(to: Db): Promise<void> {
  const found: string[] = []
  for (const [table, where] of Object.entries(MADE_BY_PEOPLE)) {
    if (await to.get(`SELECT 1 AS one FROM ${table} WHERE ${where} LIMIT 1`)) found.push(table)
  }
  if (found.length === 0) return
  throw new Problem('conflict', `The target is not empty, it has ${found.join(', ')}: choose an empty one.`)
}
