// Binds the functions of the store to one database, and measures their calls while somebody listens.
import type { SourceTypes } from '../../domain/source-type.ts'
import type { Database } from '../database/db.ts'
import type { Listeners } from '../database/listeners.ts'

export type Bind = ReturnType<typeof bindTo>

export type CallEnded = Listeners<[verb: string, seconds: number]>

export function bindTo(db: Database, types: SourceTypes, callEnded: CallEnded) {
  function timed<R>(name: string, work: () => Promise<R>): Promise<R> {
    if (callEnded.isEmpty) return work()
    const startedAt = performance.now()
    return work().finally(() => callEnded.tell(name, (performance.now() - startedAt) / 1000))
  }
  return {
    callEnded,
    verb<A extends unknown[], R>(work: (db: Database, ...args: A) => Promise<R>) {
      return (...args: A): Promise<R> => timed(work.name, () => work(db, ...args))
    },
    /** For functions that depend on the source types that exist. */
    verbByTypes<A extends unknown[], R>(work: (db: Database, types: SourceTypes, ...args: A) => Promise<R>) {
      return (...args: A): Promise<R> => timed(work.name, () => work(db, types, ...args))
    },
  }
}
