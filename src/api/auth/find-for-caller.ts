// Finds the user, podcast or source that a path names, if the caller may see it. Something of another user answers as if
// it did not exist, with the same status and body. So does a path whose parts do not belong together.
import { noSuch } from '../../catalogue/find.ts'
import type { Podcast, User } from '../../domain/person.ts'
import { Problem } from '../../domain/problem.ts'
import type { Source } from '../../domain/source.ts'
import type { Store } from '../../ports/store.ts'
import type { Call, Caller } from '../route.ts'

type CallerAndPath = Pick<Call, 'caller' | 'params'>

export interface FindForCaller {
  user(call: CallerAndPath): Promise<User>
  podcast(call: CallerAndPath): Promise<Podcast>
  source(call: CallerAndPath): Promise<Source>
  /** By its id alone, as queries name it. */
  ownPodcast(caller: Caller, id: string): Promise<Podcast>
  /** By its id alone, of any podcast. `looked`: what the caller asked for, when it is something of the source. */
  sourceById(caller: Caller, id: string, looked?: 'post' | 'article'): Promise<Source>
}

export function createFindForCaller(store: Pick<Store, 'getUser' | 'getPodcast' | 'getSource'>): FindForCaller {
  const find: FindForCaller = {
    async user({ caller, params }) {
      const id = params.user ?? ''
      const user = caller.admin || caller.userId === id ? await store.getUser(id) : null
      if (!user) throw noSuch('user')
      return user
    },
    async podcast(call) {
      const user = await find.user(call)
      const podcast = await store.getPodcast(call.params.podcast ?? '')
      if (podcast?.userId !== user.id) throw noSuch('podcast')
      return podcast
    },
    async ownPodcast(caller, id) {
      const podcast = await store.getPodcast(id)
      if (!podcast || (!caller.admin && podcast.userId !== caller.userId)) throw noSuch('podcast')
      return podcast
    },
    async source(call) {
      const podcast = await find.podcast(call)
      const source = await store.getSource(call.params.source ?? '')
      if (source?.podcastId !== podcast.id) throw noSuch('source')
      return source
    },
    async sourceById(caller, id, looked) {
      const source = await store.getSource(id)
      if (!source || !(caller.admin || source.userId === caller.userId)) throw noSuch(looked ?? 'source')
      return source
    },
  }
  return find
}

export function requireAdmin(caller: Caller): void {
  if (!caller.admin) throw new Problem('needs-admin', 'This needs admin rights. Use an admin token.')
}

/** The user whose things the caller may see; null means those of all users. */
export function userScope(caller: Caller): string | null {
  return caller.admin ? null : caller.userId
}
