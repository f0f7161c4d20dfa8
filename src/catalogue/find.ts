// Things by their id, or the same words whenever there is no such thing.
import type { Podcast, User } from '../domain/person.ts'
import { Problem } from '../domain/problem.ts'
import type { Source } from '../domain/source.ts'
import type { Store } from '../ports/store.ts'

export function noSuch(what: 'user' | 'podcast' | 'source' | 'token' | 'host'): Problem {
  return new Problem('not-found', `There is no such ${what}.`)
}

export async function findUser(store: Pick<Store, 'getUser'>, id: string): Promise<User> {
  const user = await store.getUser(id)
  if (!user) throw noSuch('user')
  return user
}

export async function findPodcast(store: Pick<Store, 'getPodcast'>, id: string): Promise<Podcast> {
  const podcast = await store.getPodcast(id)
  if (!podcast) throw noSuch('podcast')
  return podcast
}

export async function findSource(store: Pick<Store, 'getSource'>, id: string): Promise<Source> {
  const source = await store.getSource(id)
  if (!source) throw noSuch('source')
  return source
}
