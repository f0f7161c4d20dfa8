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

export function conditionsOf(filters: PostFilters, prefix: string): ScopeSql[] {
  const { sourceId, since, unlinked, label, language, podcastId } = filters
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
  if (language) conditions.push(languageCondition(language, prefix))
  return conditions
}

/** The first part of the tag is what posts_by_language is made of. A longer tag is compared as a whole as well. */
function languageCondition(language: string, prefix: string): ScopeSql {
  const column = `${prefix}language`
  const first = `${column} IS NOT NULL AND rtrim(substr(${column}, 1, 3), '-') = ?`
  const firstPart = language.slice(0, 3).replace(/-+$/, '')
  if (firstPart === language) return { where: first, params: [firstPart] }
  return {
    where: `${first} AND (${column} = ? OR ${column} LIKE ?)`,
    params: [firstPart, language, `${language}-%`],
  }
}
