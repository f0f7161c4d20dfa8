// What a caller can reach. Another person's things do not exist: same status and same body as for no such thing,
// and a path whose parts do not belong together leads nowhere.
import { noSuch } from '../../catalogue/find.ts'
import type { Podcast, User } from '../../domain/person.ts'
import { Problem } from '../../domain/problem.ts'
import type { Source } from '../../domain/source.ts'
import type { Store } from '../../ports/store.ts'
import type { Call, Who } from '../route.ts'

type Reaching = Pick<Call, 'who' | 'params'>

export interface Reach {
  user(call: Reaching): Promise<User>
  podcast(call: Reaching): Promise<Podcast>
  source(call: Reaching): Promise<Source>
}

export function createReach(store: Pick<Store, 'getUser' | 'getPodcast' | 'getSource'>): Reach {
  const reach: Reach = {
    async user({ who, params }) {
      const id = params.user ?? ''
      const user = who.admin || who.userId === id ? await store.getUser(id) : null
      if (!user) throw noSuch('user')
      return user
    },
    async podcast(call) {
      const user = await reach.user(call)
      const podcast = await store.getPodcast(call.params.podcast ?? '')
      if (podcast?.userId !== user.id) throw noSuch('podcast')
      return podcast
    },
    async source(call) {
      const podcast = await reach.podcast(call)
      const source = await store.getSource(call.params.source ?? '')
      if (source?.podcastId !== podcast.id) throw noSuch('source')
      return source
    },
  }
  return reach
}

export function requireAdmin(who: Who): void {
  if (!who.admin) throw new Problem('needs-admin', 'Use an admin token for this.')
}

/** null: everybody's. */
export function scopeOf(who: Who): string | null {
  return who.admin ? null : who.userId
}
