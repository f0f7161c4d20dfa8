// Moves a store to the other engine, and says whether its secrets can be read there. They move as they are: only the
// master key opens them, and that is not stored in a database.
import { dirname } from 'node:path'
import { databaseOf } from '../config.ts'
import type { Log } from '../ports/log.ts'
import type { Transfer, TransferOptions } from '../ports/store-transfer.ts'
import { createSecrets } from '../secrets/secrets.ts'
import type { Database } from '../storage/database/db.ts'
import { secretsNotUnder } from '../storage/people/secrets.ts'
import { openSide, transferStore } from '../storage/transfer/transfer-store.ts'

export interface Move extends TransferOptions {
  readonly from: string
  readonly to: string
  /** app.encryption.master-key. */
  readonly masterKey: string | null
  readonly log: Log
  /** Opens a side, and says which one it was if that fails. */
  opening<T>(url: string, open: () => Promise<T>): Promise<T>
}

export interface MovedSecrets {
  readonly total: number
  /** Those that a master key on this machine opens. */
  readonly readable: number
  /** Where that key is: app.encryption.master-key, or a file beside the SQLite database. */
  readonly key: 'configured' | 'file' | null
}

export type Moved = Transfer & { readonly secrets: MovedSecrets }

export async function migrateStore(move: Move): Promise<Moved> {
  const open = (url: string) => move.opening(url, () => openSide(url, move.log))
  const from = await open(move.from)
  try {
    const to = await open(move.to)
    try {
      const secrets = await judgeSecrets(from, move)
      return { ...(await transferStore(from, to, move)), secrets }
    } finally {
      await to.close()
    }
  } finally {
    await from.close()
  }
}

async function judgeSecrets(from: Database, { masterKey, ...urls }: Move): Promise<MovedSecrets> {
  const rows = await secretsNotUnder(from, '', Number.MAX_SAFE_INTEGER)
  const secrets = createSecrets({ masterKey, engine: 'sqlite', dataDir: folderOfFile(urls) })
  const opened = await Promise.all(rows.map((row) => secrets.open(row)))
  const readable = opened.filter((plain) => plain !== null).length
  const source = masterKey === null ? 'file' : 'configured'
  return { total: rows.length, readable, key: readable > 0 ? source : null }
}

function folderOfFile({ from, to }: Pick<Move, 'from' | 'to'>): string {
  const file = [databaseOf(from), databaseOf(to)].find((database) => database?.engine === 'sqlite')
  return dirname(file && 'path' in file ? file.path : '.')
}
