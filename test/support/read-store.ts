// What tests ask a store, in terms of the verbs that the product uses.
import type { HostDay } from '../../src/domain/politeness.ts'
import type { Post } from '../../src/domain/post.ts'
import type { SecretRow } from '../../src/ports/secret-store.ts'
import type { Store } from '../../src/ports/store.ts'

export async function postsAfter(
  store: Pick<Store, 'followPosts'>,
  podcastId: string,
  after: string,
  limit: number,
): Promise<readonly Post[]> {
  return (await store.followPosts({ podcastId, after, limit })).posts
}

/** A post of the default podcast. */
export async function getPost(store: Pick<Store, 'followPosts'>, id: string): Promise<Post | null> {
  const [next] = await postsAfter(store, 'default', String(Number(id) - 1), 1)
  return next?.id === id ? next : null
}

export async function anySecret(store: Pick<Store, 'secretsNotUnder'>): Promise<SecretRow | null> {
  return (await store.secretsNotUnder('a key that nobody has', 1))[0] ?? null
}

/** What was asked of a host within the last day. */
export async function dayOf(store: Pick<Store, 'hostListing'>, lane: string, now: number): Promise<HostDay | null> {
  return (await store.hostListing(lane, { userId: null, now }))?.day ?? null
}
