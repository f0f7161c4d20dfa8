// How long clients of PostgreSQL wait for locks that others have: samples of what its connections are doing.
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'

const SAMPLE_EVERY_MS = 20

export interface LockWaits {
  /** Resolves with how many connections waited for a lock, on average. */
  end(): Promise<number>
}

export function watchLockWaits(db: pg.Client): LockWaits {
  let isOver = false
  let samples = 0
  let waiting = 0
  const sampling = (async () => {
    while (!isOver) {
      const { rows } = await db.query(
        `SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
      samples++
      waiting += Number(rows[0].n)
      await wait(SAMPLE_EVERY_MS)
    }
  })()
  return {
    async end() {
      isOver = true
      await sampling
      return waiting / samples
    },
  }
}
