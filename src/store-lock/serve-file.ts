// serve.json, beside the database file: how commands reach the `serve` that uses it. Only its owner may read it, because
// it has an admin token that is valid for as long as that process runs.
import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { realPathOf } from './store-lock.ts'

export interface RunningServe {
  readonly url: string
  readonly token: string
  readonly pid: number
}

export function serveFileOf(databasePath: string): string {
  return join(dirname(realPathOf(databasePath)), 'serve.json')
}

export function writeServeFile(databasePath: string, running: RunningServe): void {
  const path = serveFileOf(databasePath)
  const draft = `${path}.${randomBytes(4).toString('hex')}`
  // Two stores may share a folder, so the file names its database.
  const content = { ...running, database: basename(realPathOf(databasePath)) }
  writeFileSync(draft, `${JSON.stringify(content)}\n`, { mode: 0o600, flag: 'wx' })
  renameSync(draft, path)
}

export function removeServeFile(databasePath: string): void {
  if (readServeFile(databasePath)) rmSync(serveFileOf(databasePath), { force: true })
}

/** Reads the file if it belongs to this store. The lock tells whether that process still runs. */
export function readServeFile(databasePath: string): RunningServe | null {
  try {
    const { url, token, pid, database } = JSON.parse(readFileSync(serveFileOf(databasePath), 'utf8'))
    const complete = typeof url === 'string' && typeof token === 'string' && typeof pid === 'number'
    return complete && database === basename(realPathOf(databasePath)) ? { url, token, pid } : null
  } catch {
    return null
  }
}
