// Sources and posts put straight into a store, for tests about what becomes of them.
import { createHash } from 'node:crypto'
import type { Candidate } from '../../src/domain/post.ts'
import { NEVER_POLLED, type Source } from '../../src/domain/source.ts'
import { defaultSettings } from '../../src/domain/source-settings.ts'
import type { Store } from '../../src/ports/store.ts'
import { TEST_START } from './manual-clock.ts'

let made = 0

export async function putSource(store: Store, given: Partial<Source> = {}): Promise<Source> {
  const id = given.id ?? `source-${++made}`
  const url = given.url ?? `https://${id}.example/feed`
  const host = new URL(url).hostname
  const source: Source = {
    ...{ id, userId: 'default', podcastId: 'default', type: 'rss', url, host, lane: host, urlKey: url },
    ...defaultSettings({ pollIntervalMinutes: 30 }),
    ...{ enabled: true, hasOwnInterval: true },
    ...NEVER_POLLED,
    ...{ hasCredentials: false, trusted: true, typedHost: null, createdAt: TEST_START, version: 1 },
    ...given,
  }
  await store.addSource(source, [], null)
  return source
}

export function candidate(title: string, given: Partial<Candidate> = {}): Candidate {
  const body = given.body ?? `About ${title}`
  return {
    ...{ title, body, url: `https://posts.example/${encodeURIComponent(title)}`, publishedAt: TEST_START },
    ...{ author: null, guid: title, categories: [], contentHash: createHash('sha256').update(body).digest('hex') },
    ...given,
  }
}

/** Stored at `at`, oldest first. */
export async function putPosts(
  store: Store,
  sourceId: string,
  posts: readonly Candidate[],
  at = TEST_START,
): Promise<void> {
  const added = await store.addPosts(sourceId, 1, posts, at)
  if (typeof added === 'string') throw new Error(added)
}
