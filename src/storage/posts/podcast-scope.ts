// Which podcasts a list is about: one, or all that a caller may see. All podcasts of everybody are one scan by id. Those
// of one user are a scan for each podcast, merged: one scan over all posts would read past those of other users.
import type { PodcastScope } from '../../ports/consumer-store.ts'
import type { Db, Param } from '../database/db.ts'

export interface ScopeSql {
  readonly where: string
  readonly params: readonly Param[]
}

const EVERYTHING: ScopeSql = { where: '1 = 1', params: [] }

export async function scopesOf(db: Db, { podcastId, userId }: PodcastScope): Promise<readonly ScopeSql[]> {
  if (podcastId !== null) return [onePodcast(podcastId)]
  if (!userId) return [EVERYTHING]
  return (await podcastIds(db, userId)).map(onePodcast)
}

export async function podcastIds(db: Db, userId: string | null): Promise<string[]> {
  const rows = await db.all(
    `SELECT id FROM podcasts ${userId === null ? '' : 'WHERE user_id = ?'} ORDER BY id`,
    userId === null ? [] : [userId],
  )
  return rows.map((row) => row.id as string)
}

/** The same as one condition, where the rows are found by something else. */
export function scopeCondition({ podcastId, userId }: PodcastScope, prefix: string): ScopeSql {
  if (podcastId !== null) return { where: `${prefix}podcast_id = ?`, params: [podcastId] }
  if (!userId) return EVERYTHING
  return { where: `${prefix}podcast_id IN (SELECT id FROM podcasts WHERE user_id = ?)`, params: [userId] }
}

function onePodcast(podcastId: string): ScopeSql {
  return { where: 'podcast_id = ?', params: [podcastId] }
}
