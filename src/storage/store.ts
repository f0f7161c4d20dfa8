// The Store port. Every method is a function in a file of its own; methods/ binds them to one database, by subject.
import type { SourceTypes } from '../domain/source-type.ts'
import type { Store } from '../ports/store.ts'
import { cleanUp } from './clean-up/clean-up.ts'
import type { Database } from './database/db.ts'
import { Listeners } from './database/listeners.ts'
import { PollListeners } from './events/poll-listeners.ts'
import { readMeta, replaceMeta, writeMeta } from './meta.ts'
import { bindTo, type CallEnded } from './methods/bind.ts'
import { consumerMethods } from './methods/consumers.ts'
import { eventMethods } from './methods/events.ts'
import { hostMethods } from './methods/hosts.ts'
import { pageMethods } from './methods/pages.ts'
import { peopleMethods } from './methods/people.ts'
import { pollingMethods } from './methods/polling.ts'
import { sourceMethods } from './methods/sources.ts'
import { listProcesses, removeProcess, reportProcess } from './processes.ts'
import { lastBodyBytes, summary } from './totals/summary.ts'
import { totals } from './totals/totals.ts'

export function createStore(
  db: Database,
  version: number,
  types: SourceTypes,
  openLaneQueue: Store['openLaneQueue'] = null,
): Store {
  const parts = {
    version,
    types,
    openLaneQueue,
    pollListeners: new PollListeners(db),
    callEnded: new Listeners() as CallEnded,
  }
  const store = storeOver(db, parts)
  let requests: Store | null = null
  const forRequests = (): Store => {
    requests ??= db.forRequests ? storeOver(db.forRequests(), parts) : store
    return requests
  }
  return Object.assign(store, { forRequests })
}

interface StoreParts {
  readonly version: number
  readonly types: SourceTypes
  readonly openLaneQueue: Store['openLaneQueue']
  readonly pollListeners: PollListeners
  readonly callEnded: CallEnded
}

function storeOver(db: Database, { version, types, openLaneQueue, pollListeners, callEnded }: StoreParts): Store {
  const bind = bindTo(db, types, callEnded)
  const { verb } = bind
  return {
    ...peopleMethods(bind),
    ...sourceMethods(bind),
    ...pollingMethods(bind, pollListeners),
    ...hostMethods(bind),
    ...consumerMethods(bind),
    ...eventMethods(bind),
    ...pageMethods(bind),
    engine: db.dialect.engine,
    onEventsWritten: (listener) => db.onEventsWritten(listener),
    onEvents: (listener) => db.onEvents(listener),
    onCallEnded: (listener) => callEnded.add(listener),
    listenToPolls: () => pollListeners.add(),
    forRequests() {
      return this
    },
    openLaneQueue,
    reportProcess: verb(reportProcess),
    listProcesses: verb(listProcesses),
    removeProcess: verb(removeProcess),
    databaseTime: db.dialect.isShared ? () => databaseTime(db) : null,
    schemaVersion: verb(async function schemaVersion() {
      return version
    }),
    close: () => db.close(),
    ping: verb(ping),
    probeWrite: verb(probeWrite),
    diskSpace: () => db.diskSpace(),
    totals: verb(totals),
    cleanUp: verb(cleanUp),
    summary: verb(summary),
    lastBodyBytes: verb(lastBodyBytes),
    readMeta: verb(readMeta),
    writeMeta: verb(writeMeta),
    replaceMeta: verb(replaceMeta),
  }
}

async function databaseTime(db: Database): Promise<number> {
  return Number((await db.get('SELECT extract(epoch FROM clock_timestamp()) * 1000 AS at'))?.at)
}

async function ping(db: Database): Promise<void> {
  await db.get('SELECT 1 AS one')
}

async function probeWrite(db: Database, at: number): Promise<void> {
  await writeMeta(db, 'write-probe', String(at))
}
