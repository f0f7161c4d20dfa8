// The filters of a list of posts, as SQL.
import type { PostFilters } from '../../ports/consumer-store.ts'
import type { Param } from '../database/db.ts'
import { type ScopeSql, scopeCondition } from './podcast-scope.ts'

export function filterSql(query: PostFilters, prefix = ''): { where: string; params: Param[] } {
  return allOf([scopeCondition(query, prefix), ...conditionsOf(query, prefix)])
}

export function allOf(conditions: readonly ScopeSql[]): { where: string; params: Param[] } {
  return {
    where: conditions.map(({ where }) => where).join(' AND '),
    params: conditions.flatMap(({ params }) => params),
  }
}

export function conditionsOf({ sourceId, since, unlinked, label, podcastId }: PostFilters, prefix: string): ScopeSql[] {
  const conditions: ScopeSql[] = []
  if (sourceId) conditions.push({ where: `${prefix}source_id = ?`, params: [sourceId] })
  if (label) {
    const within = podcastId === null ? '' : 'podcast_id = ? AND'
    const where = `${prefix}source_id IN (SELECT id FROM sources WHERE ${within} label = ?)`
    conditions.push({ where, params: podcastId === null ? [label] : [podcastId, label] })
  }
  if (since !== null && since !== undefined) {
    conditions.push({ where: `${prefix}created_at >= ?`, params: [since] })
  }
  if (unlinked) conditions.push({ where: `${prefix}links = 0`, params: [] })
  return conditions
}
