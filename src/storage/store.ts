// The Store port. Every method is a function in a file of its own; methods/ binds them to one database, by subject.
import type { SourceTypes } from '../domain/source-type.ts'
import type { Store } from '../ports/store.ts'
import { cleanUp } from './clean-up/clean-up.ts'
import type { Database } from './database/db.ts'
import { readMeta, replaceMeta, writeMeta } from './meta.ts'
import { bindTo } from './methods/bind.ts'
import { consumerMethods } from './methods/consumers.ts'
import { eventMethods } from './methods/events.ts'
import { hostMethods } from './methods/hosts.ts'
import { pageMethods } from './methods/pages.ts'
import { peopleMethods } from './methods/people.ts'
import { pollingMethods } from './methods/polling.ts'
import { sourceMethods } from './methods/sources.ts'
import { lastBodyBytes, summary } from './totals/summary.ts'
import { totals } from './totals/totals.ts'

export function createStore(db: Database, version: number, types: SourceTypes): Store {
  const bind = bindTo(db, types)
  const { verb, callEnded } = bind
  return {
    ...peopleMethods(bind),
    ...sourceMethods(bind),
    ...pollingMethods(bind),
    ...hostMethods(bind),
    ...consumerMethods(bind),
    ...eventMethods(bind),
    ...pageMethods(bind),
    engine: db.dialect.engine,
    onEventsWritten: (listener) => db.onEventsWritten(listener),
    onCallEnded: (listener) => callEnded.add(listener),
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

async function ping(db: Database): Promise<void> {
  await db.get('SELECT 1 AS one')
}

async function probeWrite(db: Database, at: number): Promise<void> {
  await writeMeta(db, 'write-probe', String(at))
}
