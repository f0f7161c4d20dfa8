// What the arguments and answers of several tools are made of.
import { z } from 'zod'
import type { SourceView } from '../../catalogue/shapes/answers.ts'
import { text, whole } from '../../catalogue/shapes/fields.ts'
import { shorten } from '../fit.ts'
import { Refused, type Rest, segment } from '../rest.ts'

export const limit = whole(1, 100).default(20).describe('at most so many; fewer come back where they would be too long')
export const cursor = text(2000, 'the nextCursor of an earlier answer')
  .optional()
  .describe('nextCursor of the answer before')
export const nextCursor = z
  .string()
  .nullable()
  .describe('null: the list is complete; otherwise ask again with it as cursor, also after a page without items')
export const instant = z.string().describe('ISO 8601, UTC')
export const sourceArgument = text(2000, 'a source').min(1).describe('id or URL of the source')
export const sourceName = z.string().describe('label, title or URL of the source')

/** A fact about a source, besides the fields of REST's answer that every version has. */
export type FoundSource = SourceView & { readonly userId: string; readonly title?: string | null }

export function pathOf({ userId, podcastId, id }: FoundSource): string {
  return `/api/users/${segment(userId)}/podcasts/${segment(podcastId)}/sources/${segment(id)}`
}

export function nameOf(source: {
  readonly label?: string | null
  readonly title?: string | null
  readonly url: string
}) {
  return short(source.label || source.title || source.url, 200)
}

export function short(value: string, characters: number): string {
  return shorten(value, characters)
}

export function shortOrNull(value: string | null, characters: number): string | null {
  return value === null ? null : shorten(value, characters)
}

/** By id, or else by its address. */
export async function findSource(rest: Rest, idOrUrl: string): Promise<FoundSource> {
  const id = /[/@]/.test(idOrUrl) ? await idOfAddress(rest, idOrUrl) : idOrUrl
  return rest.get<FoundSource>(`/api/sources/${segment(id)}`)
}

async function idOfAddress(rest: Rest, url: string): Promise<string> {
  const { items } = await rest.get<{ items: SourceView[] }>('/api/sources', { url, limit: 10 }, { url: 'source' })
  const [one, ...others] = items
  if (!one) throw new Refused(`There is no source with the address ${url}. list_sources shows all of them.`, 404)
  if (others.length === 0) return one.id
  const ids = items.map((source) => source.id).join(', ')
  throw new Refused(`${items.length} sources have this address. Give one of their ids: ${ids}`, 409)
}

/** The names of the sources of some posts or articles, by the source's id. */
export async function namesOf(rest: Rest, sourceIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const names = [...new Set(sourceIds)].map(async (id) => {
    try {
      return [id, nameOf(await rest.get<FoundSource>(`/api/sources/${segment(id)}`))] as const
    } catch (error) {
      // It was removed meanwhile.
      if (error instanceof Refused && error.status === 404) return [id, id] as const
      throw error
    }
  })
  return new Map(await Promise.all(names))
}
