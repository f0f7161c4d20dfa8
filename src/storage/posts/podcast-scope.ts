// Which podcasts a list is about: one, or all that a caller may see. All podcasts of everybody are one scan by id. Those
// of one user are a scan for each podcast, merged: one scan over all posts would read past those of other users.
import type { PodcastScope } from '../../ports/consumer-store.ts'
import type { Db, Param } from '../database/db.ts'

export interface ScopeSql {
  readonly where: string
  readonly params: readonly Param[]
}

/** A source belongs to one podcast, but whoever names both may see only what is in that podcast. */
type Scope = PodcastScope & { readonly sourceId?: string | null | undefined }

const EVERYTHING: ScopeSql = { where: '1 = 1', params: [] }

export async function scopesOf(db: Db, scope: Scope): Promise<readonly ScopeSql[]> {
  const { podcastId, userId } = scope
  if (podcastId !== null) return [onePodcast(scope, podcastId)]
  if (!userId) return [EVERYTHING]
  return (await podcastIds(db, userId)).map((id) => onePodcast(scope, id))
}

export async function podcastIds(db: Db, userId: string | null): Promise<string[]> {
  const rows = await db.all(
    `SELECT id FROM podcasts ${userId === null ? '' : 'WHERE user_id = ?'} ORDER BY id`,
    userId === null ? [] : [userId],
  )
  return rows.map((row) => row.id as string)
}

/** The same as one condition, where the rows are found by something else. */
export function scopeCondition(scope: Scope, prefix: string): ScopeSql {
  const { podcastId, userId } = scope
  if (podcastId !== null) return onePodcast(scope, podcastId, prefix)
  if (!userId) return EVERYTHING
  const where = `${podcastColumn(scope, prefix)} IN (SELECT id FROM podcasts WHERE user_id = ?)`
  return { where, params: [userId] }
}

function onePodcast(scope: Scope, podcastId: string, prefix = ''): ScopeSql {
  return { where: `${podcastColumn(scope, prefix)} = ?`, params: [podcastId] }
}

/** What is of one source is little. SQLite would look for it among all of the podcast, if an index offered that. */
function podcastColumn({ sourceId }: Scope, prefix: string): string {
  return sourceId ? `${prefix}podcast_id || ''` : `${prefix}podcast_id`
}
