// The processes that poll on this store: each writes a line about itself now and then, and removes it when it ends. What
// a killed process left is removed when it is an hour old.
import type { ProcessReport } from '../ports/store.ts'
import type { Database, Db } from './database/db.ts'
import { writeMeta } from './meta.ts'

const PREFIX = 'process:'
const KEPT_MS = 3_600_000

export async function reportProcess(db: Database, report: ProcessReport): Promise<void> {
  await writeMeta(db, PREFIX + report.id, JSON.stringify(report))
}

/** Those that were heard of since then, in the order in which they started. */
export async function listProcesses(db: Db, since: number): Promise<readonly ProcessReport[]> {
  const rows = await db.all(`SELECT value FROM meta WHERE key LIKE '${PREFIX}%'`)
  const reports = rows.map((row) => JSON.parse(row.value as string) as ProcessReport)
  for (const { id, lastSeenAt } of reports) if (lastSeenAt < since - KEPT_MS) await removeProcess(db, id)
  return reports.filter(({ lastSeenAt }) => lastSeenAt >= since).sort((a, b) => a.startedAt - b.startedAt)
}

export async function removeProcess(db: Db, id: string): Promise<void> {
  await db.run('DELETE FROM meta WHERE key = ?', [PREFIX + id])
}
