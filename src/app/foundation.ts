// What every process has: the store with its clock and secrets, and what fetches. Nothing here runs by itself.

import type { SourceTypes } from '../domain/source-type.ts'
import type { ListenAddress } from '../fetching/address-guard.ts'
import { silentLog } from '../log.ts'
import { followDelays } from '../polling/planning/follow-delays.ts'
import type { Clock, Random } from '../ports/clock.ts'
import type { Config } from '../ports/config.ts'
import type { Fetcher } from '../ports/fetcher.ts'
import type { Log } from '../ports/log.ts'
import type { Store } from '../ports/store.ts'
import { checkMasterKey, type UnreadableSecrets } from '../secrets/check-master-key.ts'
import { createSecrets, type KeyedSecrets } from '../secrets/secrets.ts'
import { openStore } from '../storage/open-store.ts'
import { systemClock, wholeMilliseconds } from '../system-clock.ts'
import { VERSION } from '../version.ts'
import { databaseClock } from './database-clock.ts'
import { lazyFetcher } from './lazy-fetcher.ts'
import { type AddedType, sourceTypesWith, withDelaysOf } from './source-types.ts'
import { secretsOptions } from './stored-secrets.ts'

export interface AppOptions {
  readonly config: Config
  readonly clock?: Clock
  readonly random?: Random
  readonly log?: Log
  readonly version?: string
  /** Other processes may poll on the same SQLite file meanwhile; on PostgreSQL they always may. */
  readonly sharesFile?: boolean
  /** Source types besides the built-in ones. */
  readonly addedTypes?: readonly AddedType[]
}

export interface Foundation {
  readonly config: Config
  readonly types: SourceTypes
  readonly clock: Clock
  readonly store: Store
  readonly secrets: KeyedSecrets
  /** Secrets that the master key did not open at the start; null when all is well. */
  readonly unreadable: UnreadableSecrets | null
  /** Addresses that this product listens on: whoever opens a port adds it, and no poll asks it. */
  readonly ownAddresses: ListenAddress[]
  readonly fetcher: Fetcher
  stopClock(): void
}

export async function layFoundation(options: AppOptions, isForCommand: boolean): Promise<Foundation> {
  const { log = silentLog, version = VERSION, addedTypes = [] } = options
  const ownClock = options.clock ? wholeMilliseconds(options.clock) : null
  const types = sourceTypesWith(addedTypes)
  const config = withDelaysOf(types, options.config)

  const now = (ownClock ?? systemClock).now()
  const store = await openStore(config.database.url, { log, now, types, isForCommand })
  const sharedClock =
    ownClock || !store.databaseTime ? null : await databaseClock(store.databaseTime, systemClock.sleep)
  const clock = ownClock ?? sharedClock ?? systemClock
  await followDelays({ clock, store, rules: config.source, log })
  const secrets = createSecrets(secretsOptions(config, store.engine))
  const unreadable = await checkMasterKey(secrets, store)
  if (unreadable) log.error({}, `${unreadable.found}. ${unreadable.remedy} Everything else works.`)

  const ownAddresses: ListenAddress[] = []
  const { publicUrl } = config.server
  const fetcher = lazyFetcher({ http: config.http, version, publicUrl, ownAddresses: () => ownAddresses })
  const stopClock = () => sharedClock?.close()
  return { config, types, clock, store, secrets, unreadable, ownAddresses, fetcher, stopClock }
}

/** What the engine needs besides, from the same options. */
export function engineOptions({ random = Math.random, log = silentLog, ...options }: AppOptions) {
  const { sharesFile = false, addedTypes = [], clock } = options
  return { random, log, sharesFile, addedTypes, hasOwnClock: clock !== undefined }
}
