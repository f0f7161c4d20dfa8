// What a store has besides the methods that ask its database.
import type { SourceTypes } from '../domain/source-type.ts'
import type { Store } from '../ports/store.ts'
import type { Database } from './database/db.ts'
import { Listeners } from './database/listeners.ts'
import { PollListeners } from './events/poll-listeners.ts'
import type { CallEnded } from './methods/bind.ts'

export interface StoreParts {
  readonly version: number
  readonly types: SourceTypes
  readonly openLaneQueue: Store['openLaneQueue']
  readonly pollListeners: PollListeners
  readonly callEnded: CallEnded
}

export function storePartsOf(db: Database, given: Pick<StoreParts, 'version' | 'types' | 'openLaneQueue'>): StoreParts {
  return { ...given, pollListeners: new PollListeners(db), callEnded: new Listeners() }
}

export function membersAtOnce(db: Database, { openLaneQueue, pollListeners, callEnded }: StoreParts) {
  return {
    engine: db.dialect.engine,
    onEventsWritten: (listener) => db.onEventsWritten(listener),
    onEvents: (listener) => db.onEvents(listener),
    onCallEnded: (listener) => callEnded.add(listener),
    listenToPolls: () => pollListeners.add(),
    openLaneQueue,
    databaseTime: db.dialect.isShared ? () => databaseTime(db) : null,
    close: () => db.close(),
    diskSpace: () => db.diskSpace(),
  } satisfies Partial<Store>
}

/** Requests by people have connections of their own where the engine offers that. They are opened at the first request. */
export function withRequests(db: Database, storeOver: (db: Database) => Omit<Store, 'forRequests'>): Store {
  let requests: Store | null = null
  const forRequests = (): Store => {
    requests ??= db.forRequests ? withItself(storeOver(db.forRequests())) : store
    return requests
  }
  const store: Store = Object.assign(storeOver(db), { forRequests })
  return store
}

function withItself(over: Omit<Store, 'forRequests'>): Store {
  const store: Store = Object.assign(over, { forRequests: () => store })
  return store
}

async function databaseTime(db: Database): Promise<number> {
  return Number((await db.get('SELECT extract(epoch FROM clock_timestamp()) * 1000 AS at'))?.at)
}
