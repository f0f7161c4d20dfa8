// serve.json, beside the database file: how commands reach the `serve` that works on it. Only its owner may read it,
// because the token in it opens every door for as long as that process lives.
import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { trueName } from './serve-lock.ts'

export interface RunningServe {
  readonly url: string
  readonly token: string
  readonly pid: number
}

export function serveFileOf(databasePath: string): string {
  return join(dirname(trueName(databasePath)), 'serve.json')
}

export function writeServeFile(databasePath: string, running: RunningServe): void {
  const path = serveFileOf(databasePath)
  const draft = `${path}.${randomBytes(4).toString('hex')}`
  // Two stores may share a folder; which one this is about is told too.
  const told = { ...running, database: basename(trueName(databasePath)) }
  writeFileSync(draft, `${JSON.stringify(told)}\n`, { mode: 0o600, flag: 'wx' })
  renameSync(draft, path)
}

export function removeServeFile(databasePath: string): void {
  if (readServeFile(databasePath)) rmSync(serveFileOf(databasePath), { force: true })
}

/** What the file says of this store; whether that process still lives is what the lock tells. */
export function readServeFile(databasePath: string): RunningServe | null {
  try {
    const { url, token, pid, database } = JSON.parse(readFileSync(serveFileOf(databasePath), 'utf8'))
    const complete = typeof url === 'string' && typeof token === 'string' && typeof pid === 'number'
    return complete && database === basename(trueName(databasePath)) ? { url, token, pid } : null
  } catch {
    return null
  }
}
