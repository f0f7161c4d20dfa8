// What a user has of what is limited for users without admin rights, and how much of it they may have.
import { megabytesOf } from '../../domain/storage-limit.ts'
import type { LimitsConfig } from '../../ports/config.ts'
import type { PeopleStore } from '../../ports/people-store.ts'
import { findUser } from '../find.ts'
import type { LimitView } from '../shapes/answers.ts'

interface LimitParts {
  readonly store: Pick<PeopleStore, 'getUser' | 'countOwned' | 'storedBytes'>
  readonly config: { readonly limits: LimitsConfig }
}

/**
 * `used` is null where nothing is kept that could be counted: it is counted while it goes on. `most` is null where there is
 * no limit.
 */
export async function limitsOf({ store, config: { limits } }: LimitParts, userId: string): Promise<LimitView[]> {
  const { id } = await findUser(store, userId)
  const owned = await store.countOwned(id)
  const stored = megabytesOf(await store.storedBytes(id))
  return [
    { name: 'sources', used: owned.sources, most: limits.sources },
    { name: 'podcasts', used: owned.podcasts, most: limits.podcasts },
    { name: 'tokens', used: owned.tokens, most: limits.tokens },
    { name: 'cursors', used: owned.cursors, most: limits.cursors },
    { name: 'webhooks', used: owned.webhooks, most: limits.webhooks },
    { name: 'stored-megabytes', used: stored, most: limits.storedMegabytes || null },
    { name: 'event-streams', used: null, most: limits.eventStreams },
    { name: 'import-rows', used: null, most: limits.importRows },
    { name: 'requests-per-minute', used: null, most: limits.requestsPerMinute },
  ]
}
