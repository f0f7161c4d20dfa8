// Users own podcasts. The default user and podcast are there from the first start: renamed at will, never deleted.
import type { z } from 'zod'
import { DEFAULT_ID, type Podcast } from '../domain/person.ts'
import { Problem } from '../domain/problem.ts'
import type { PodcastView, UserView } from './answers.ts'
import type { CatalogueParts } from './catalogue.ts'
import { eachSource } from './each-source.ts'
import { type List, listOf } from './paging.ts'
import { PODCAST_READ_ONLY, pageQuery, podcastInput, podcastPatch, USER_READ_ONLY, userInput } from './schemas.ts'
import { NOTHING_READ } from './source-change.ts'
import { readInput } from './validate.ts'
import { podcastView, userView } from './views.ts'

type PageInput = z.input<typeof pageQuery>

export interface UserCatalogue {
  create(input: z.input<typeof userInput>): Promise<UserView>
  get(id: string): Promise<UserView>
  list(query?: PageInput): Promise<List<UserView>>
  update(id: string, input: z.input<typeof userInput>): Promise<UserView>
  remove(id: string): Promise<void>
}

export function createUsers({ store, clock, newId }: CatalogueParts): UserCatalogue {
  const noSuch = () => new Problem('not-found', 'There is no such user.')
  return {
    async create(input) {
      const { name } = readInput(userInput, input, USER_READ_ONLY)
      const user = { id: newId(), name, createdAt: clock.now() }
      await store.addUser(user)
      return userView(user)
    },
    async get(id) {
      const user = await store.getUser(id)
      if (!user) throw noSuch()
      return userView(user)
    },
    async list(query = {}) {
      const { limit, cursor } = readInput(pageQuery, query)
      return listOf(await store.listUsers({ limit, cursor: cursor ?? null }), userView)
    },
    async update(id, input) {
      const { name } = readInput(userInput, input, USER_READ_ONLY)
      const user = await store.renameUser(id, name)
      if (!user) throw noSuch()
      return userView(user)
    },
    async remove(id) {
      if (id === DEFAULT_ID) throw notDeletable('user')
      if (!(await store.removeUser(id))) throw noSuch()
    },
  }
}

export interface PodcastCatalogue {
  create(userId: string, input: z.input<typeof podcastInput>): Promise<PodcastView>
  get(id: string): Promise<PodcastView>
  list(userId?: string | null, query?: PageInput): Promise<List<PodcastView>>
  update(id: string, patch: z.input<typeof podcastPatch>): Promise<PodcastView>
  replace(id: string, put: z.input<typeof podcastInput>): Promise<PodcastView>
  remove(id: string): Promise<void>
}

export function createPodcasts(parts: CatalogueParts): PodcastCatalogue {
  const { store, clock, newId } = parts
  const noSuch = () => new Problem('not-found', 'There is no such podcast.')

  async function podcastOf(id: string): Promise<Podcast> {
    const podcast = await store.getPodcast(id)
    if (!podcast) throw noSuch()
    return podcast
  }

  async function change(id: string, set: Partial<Pick<Podcast, 'name' | 'topic' | 'maxArticleAgeDays'>>) {
    const before = await podcastOf(id)
    const after = await store.changePodcast(id, set)
    if (!after) throw noSuch()
    if (after.maxArticleAgeDays !== before.maxArticleAgeDays) await forgetDocuments(parts, id)
    return podcastView(after)
  }

  return {
    async create(userId, input) {
      const wanted = readInput(podcastInput, input, PODCAST_READ_ONLY)
      if (!(await store.getUser(userId))) throw new Problem('not-found', 'There is no such user.')
      const { name, topic = null, maxArticleAgeDays = null } = wanted
      const podcast = { id: newId(), userId, name, topic: topic || null, maxArticleAgeDays, createdAt: clock.now() }
      await store.addPodcast(podcast)
      return podcastView(podcast)
    },
    get: async (id) => podcastView(await podcastOf(id)),
    async list(userId = null, query = {}) {
      const { limit, cursor } = readInput(pageQuery, query)
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
      if (id === DEFAULT_ID) throw notDeletable('podcast')
      if (!(await store.removePodcast(id))) throw noSuch()
    },
  }
}

/** The age limit decides which entries become posts, so documents read under another one are read again. */
function forgetDocuments({ store }: CatalogueParts, podcastId: string): Promise<void> {
  return eachSource(store, { podcastId }, ({ id }) => store.changeSource(id, () => ({ set: NOTHING_READ, events: [] })))
}

function notDeletable(what: string): Problem {
  return new Problem('not-deletable', `The default ${what} cannot be deleted; it can be renamed.`)
}
