// How long clients of PostgreSQL wait for locks that others have: samples of what its connections are doing.
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'

const SAMPLE_EVERY_MS = 20

export interface LockWaits {
  /** Resolves with how many connections waited for a lock, on average, and for what, most frequent first. */
  end(): Promise<{ readonly waiting: number; readonly statements: readonly string[] }>
}

export function watchLockWaits(db: pg.Client): LockWaits {
  let isOver = false
  let samples = 0
  let waiting = 0
  const statements = new Map<string, number>()
  const sampling = (async () => {
    while (!isOver) {
      const { rows } = await db.query(
        `SELECT wait_event || ': ' || query AS waits FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
      samples++
      waiting += rows.length
      for (const { waits } of rows) statements.set(waits, (statements.get(waits) ?? 0) + 1)
      await wait(SAMPLE_EVERY_MS)
    }
  })()
  return {
    async end() {
      isOver = true
      await sampling
      const byCount = [...statements].sort(([, a], [, b]) => b - a)
      return { waiting: waiting / samples, statements: byCount.map(([text, count]) => `${count} ${text}`) }
    },
  }
}
