// Things by their id, or the same words whenever there is no such thing.
import type { Podcast, User } from '../domain/person.ts'
import { Problem } from '../domain/problem.ts'
import type { Source } from '../domain/source.ts'
import type { Store } from '../ports/store.ts'

export function noSuch(
  what: 'user' | 'podcast' | 'source' | 'token' | 'host' | 'article' | 'post' | 'webhook',
): Problem {
  return new Problem('not-found', `There is no such ${what}.`)
}

export function nameTaken(what: 'user' | 'podcast', name: string): Problem {
  return new Problem('name-taken', `There is a ${what} called ${name} already. Choose another name.`, [
    { path: 'name', message: 'expected a name that is not taken' },
  ])
}

/** From a program anything may come, and no id has a control character, which not every database takes. */
export function isId(given: unknown): given is string {
  return typeof given === 'string' && !/[\u0000-\u001f\u007f]/.test(given)
}

export async function findUser(store: Pick<Store, 'getUser'>, id: string): Promise<User> {
  const user = isId(id) ? await store.getUser(id) : null
  if (!user) throw noSuch('user')
  return user
}

export async function findPodcast(store: Pick<Store, 'getPodcast'>, id: string): Promise<Podcast> {
  const podcast = isId(id) ? await store.getPodcast(id) : null
  if (!podcast) throw noSuch('podcast')
  return podcast
}

export async function findSource(store: Pick<Store, 'getSource'>, id: string): Promise<Source> {
  const source = isId(id) ? await store.getSource(id) : null
  if (!source) throw noSuch('source')
  return source
}
