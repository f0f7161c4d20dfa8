// The store of a command. Most commands only show sources, so only what reads users, podcasts and sources is loaded with
// it. Any other method loads the whole store.
import { loadedLater } from '../loaded-later.ts'
import type { Store } from '../ports/store.ts'
import type { Database } from './database/db.ts'
import { readMeta } from './meta.ts'
import { bindTo } from './methods/bind.ts'
import { getPodcast, listPodcasts } from './people/podcasts.ts'
import { secretsNotUnder } from './people/secrets.ts'
import { getUser, listUsers } from './people/users.ts'
import { countsOf, getSource } from './sources/get-source.ts'
import { listSources } from './sources/list-sources.ts'
import { membersAtOnce, type StoreParts, withRequests } from './store-parts.ts'

export function createCommandStore(db: Database, parts: StoreParts): Store {
  return withRequests(db, (over) => readingStore(over, parts))
}

function readingStore(db: Database, parts: StoreParts): Omit<Store, 'forRequests'> {
  const { verb, verbByTypes } = bindTo(db, parts.types, parts.callEnded)
  const whole = async () => (await import('./store.ts')).storeOver(db, parts)
  return loadedLater(whole, {
    ...membersAtOnce(db, parts),
    getUser: verb(getUser),
    listUsers: verb(listUsers),
    getPodcast: verb(getPodcast),
    listPodcasts: verb(listPodcasts),
    getSource: verb(getSource),
    listSources: verbByTypes(listSources),
    countsOf: verb(countsOf),
    readMeta: verb(readMeta),
    secretsNotUnder: verb(secretsNotUnder),
  })
}
