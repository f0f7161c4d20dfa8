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
import { listProcesses, removeProcess, reportProcess } from './processes.ts'
import { membersAtOnce, type StoreParts, storePartsOf, withRequests } from './store-parts.ts'
import { lastBodyBytes, summary } from './totals/summary.ts'
import { totals } from './totals/totals.ts'

export function createStore(
  db: Database,
  version: number,
  types: SourceTypes,
  openLaneQueue: Store['openLaneQueue'] = null,
): Store {
  const parts = storePartsOf(db, { version, types, openLaneQueue })
  return withRequests(db, (over) => storeOver(over, parts))
}

export function storeOver(db: Database, parts: StoreParts): Omit<Store, 'forRequests'> {
  const bind = bindTo(db, parts.types, parts.callEnded)
  const { verb } = bind
  return {
    ...membersAtOnce(db, parts),
    ...peopleMethods(bind),
    ...sourceMethods(bind),
    ...pollingMethods(bind, parts.pollListeners),
    ...hostMethods(bind),
    ...consumerMethods(bind),
    ...eventMethods(bind),
    ...pageMethods(bind),
    reportProcess: verb(reportProcess),
    listProcesses: verb(listProcesses),
    removeProcess: verb(removeProcess),
    schemaVersion: verb(async function schemaVersion() {
      return parts.version
    }),
    ping: verb(ping),
    probeWrite: verb(probeWrite),
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
