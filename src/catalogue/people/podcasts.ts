// Podcasts own sources. The default podcast exists from the first start; it can be renamed but not deleted.
import type { z } from 'zod'
import { DEFAULT_ID, type Podcast } from '../../domain/person.ts'
import { Problem } from '../../domain/problem.ts'
import { BY_OPERATOR, type By, mostFor } from '../acting.ts'
import { findPodcast, findUser, isId, nameTaken, noSuch } from '../find.ts'
import type { CatalogueParts } from '../parts.ts'
import type { PodcastView } from '../shapes/answers.ts'
import { type List, listOf } from '../shapes/paging.ts'
import { PODCAST_READ_ONLY, pageQuery, podcastInput, podcastPatch } from '../shapes/schemas.ts'
import { readInput } from '../shapes/validate.ts'
import { podcastView } from '../shapes/views.ts'
import { eachSource } from '../sources/each-source.ts'
import { FORGET_DOCUMENT } from '../sources/source-change.ts'

export interface PodcastCatalogue {
  create(userId: string, input: z.input<typeof podcastInput>, by?: By): Promise<PodcastView>
  get(id: string): Promise<PodcastView>
  list(userId?: string | null, query?: z.input<typeof pageQuery>): Promise<List<PodcastView>>
  update(id: string, patch: z.input<typeof podcastPatch>): Promise<PodcastView>
  replace(id: string, put: z.input<typeof podcastInput>): Promise<PodcastView>
  remove(id: string): Promise<void>
}

export function createPodcasts(parts: CatalogueParts): PodcastCatalogue {
  const { store, clock, newId, config } = parts

  async function change(id: string, set: Partial<Pick<Podcast, 'name' | 'topic' | 'maxArticleAgeDays'>>) {
    const before = await findPodcast(store, id)
    const after = await store.changePodcast(id, set)
    if (!after) throw noSuch('podcast')
    if (after === 'name-taken') throw nameTaken('podcast', set.name ?? before.name)
    if (after.maxArticleAgeDays !== before.maxArticleAgeDays) await forgetDocuments(parts, id)
    return podcastView(after)
  }

  return {
    async create(userId, input, by = BY_OPERATOR) {
      const wanted = readInput(podcastInput, input, PODCAST_READ_ONLY)
      await findUser(store, userId)
      const { name, topic = null, maxArticleAgeDays = null } = wanted
      const podcast = { id: newId(), userId, name, topic: topic || null, maxArticleAgeDays, createdAt: clock.now() }
      const added = await store.addPodcast(podcast, mostFor(by, config.limits.podcasts))
      if (added === 'name-taken') throw nameTaken('podcast', name)
      return podcastView(podcast)
    },
    get: async (id) => podcastView(await findPodcast(store, id)),
    async list(userId = null, query = {}) {
      const { limit, cursor } = readInput(pageQuery, query)
      if (userId !== null) await findUser(store, userId)
      return listOf(await store.listPodcasts(userId, { limit, cursor: cursor ?? null }), podcastView)
    },
    async update(id, input) {
      const { name, topic, maxArticleAgeDays } = readInput(podcastPatch, input, PODCAST_READ_ONLY)
      return change(id, {
        ...(name === undefined ? {} : { name }),
        ...(topic === undefined ? {} : { topic: topic || null }),
        ...(maxArticleAgeDays === undefined ? {} : { maxArticleAgeDays }),
      })
    },
    async replace(id, input) {
      const { name, topic = null, maxArticleAgeDays = null } = readInput(podcastInput, input, PODCAST_READ_ONLY)
      return change(id, { name, topic: topic || null, maxArticleAgeDays })
    },
    async remove(id) {
      if (id === DEFAULT_ID) {
        throw new Problem('not-deletable', 'The default podcast cannot be deleted; it can be renamed.')
      }
      if (!isId(id) || !(await store.removePodcast(id))) throw noSuch('podcast')
    },
  }
}

/** The age limit decides which entries become posts, so each source reads its document again. */
function forgetDocuments({ store }: CatalogueParts, podcastId: string): Promise<void> {
  return eachSource(store, { podcastId }, ({ id }) =>
    store.changeSource(id, () => ({ set: FORGET_DOCUMENT, events: [] })),
  )
}
