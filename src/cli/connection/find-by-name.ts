// From what a person typed (an id, a URL, a name) to where it lives in the API.
import type { PodcastView, SourceView, UserView } from '../../catalogue/shapes/answers.ts'
import { hideCredentials, isRefused } from '../../domain/address.ts'
import { BUILT_IN_TYPES } from '../../domain/built-in-types.ts'
import { DEFAULT_ID } from '../../domain/person.ts'
import { CliFailure } from '../failure.ts'
import { type Client, RefusedRequest, segment } from './client.ts'

export interface PodcastPlace {
  readonly podcast: PodcastView
  readonly path: string
}

export interface SourcePlace {
  readonly source: SourceView
  readonly path: string
}

export function userPath(userId: string): string {
  return `/api/users/${segment(userId)}`
}

/** By id or name; without either, the default one, or the only one that the caller may see. */
export async function findUser(client: Client, idOrName: string | undefined): Promise<UserView> {
  const users = await client.all<UserView>('/api/users')
  const wanted = idOrName ?? DEFAULT_ID
  const [only, ...others] = users
  const found = theOne('users', users, wanted) ?? (idOrName === undefined && others.length === 0 ? only : undefined)
  if (!found) throw new CliFailure(`There is no user ${wanted}. "tidings user list" shows them.`)
  return found
}

/** By id, else by name; a name that several have is nobody's. */
function theOne<T extends { id: string; name: string }>(
  kind: string,
  all: readonly T[],
  idOrName: string,
): T | undefined {
  const byId = all.find(({ id }) => id === idOrName)
  if (byId) return byId
  const called = all.filter(({ name }) => name === idOrName)
  if (called.length < 2) return called[0]
  const ids = called.map(({ id }) => id).join(', ')
  throw new CliFailure(`${called.length} ${kind} are called ${idOrName}; give one of their ids: ${ids}`)
}

export async function allPodcasts(client: Client): Promise<PodcastPlace[]> {
  const users = await client.all<UserView>('/api/users')
  const lists = await Promise.all(
    users.map(async ({ id }) => {
      const path = `${userPath(id)}/podcasts`
      const podcasts = await client.all<PodcastView>(path)
      return podcasts.map((podcast) => ({ podcast, path: `${path}/${segment(podcast.id)}` }))
    }),
  )
  return lists.flat()
}

/** By id or name; without either, the default one, or the only one that the caller may see. */
export async function findPodcast(client: Client, idOrName: string | undefined): Promise<PodcastPlace> {
  const all = await allPodcasts(client)
  const wanted = idOrName ?? DEFAULT_ID
  const podcasts = all.map(({ podcast }) => podcast)
  const chosen = theOne('podcasts', podcasts, wanted)
  const found = all.find(({ podcast }) => podcast === chosen)
  if (found) return found
  const [only, ...others] = all
  if (idOrName === undefined && only && others.length === 0) return only
  const names = all.map(({ podcast }) => podcast.name).join(', ')
  throw new CliFailure(
    idOrName === undefined
      ? `Say which podcast with --podcast: ${names || 'there is none yet'}`
      : `There is no podcast ${idOrName}. There are: ${names || 'none yet'}`,
  )
}

export async function podcastsOf(client: Client, idOrName: string | undefined): Promise<PodcastPlace[]> {
  return idOrName === undefined ? allPodcasts(client) : [await findPodcast(client, idOrName)]
}

export async function sourcesIn(
  client: Client,
  places: readonly PodcastPlace[],
  query: Readonly<Record<string, string | undefined>> = {},
): Promise<SourcePlace[]> {
  const found: SourcePlace[] = []
  for (const { path } of places) {
    const sources = await client.all<SourceView>(`${path}/sources`, query)
    found.push(...sources.map((source) => ({ source, path: `${path}/sources/${segment(source.id)}` })))
  }
  return found
}

export async function findSource(client: Client, idOrUrl: string): Promise<SourcePlace> {
  const places = await allPodcasts(client)
  const found = (await byId(client, places, idOrUrl)) ?? (await byUrl(client, places, idOrUrl))
  const [one, ...others] = found
  if (!one) throw new CliFailure(`There is no source ${hideCredentials(idOrUrl)}. "tidings list" shows them.`)
  if (others.length === 0) return one
  const ids = found.map(({ source }) => source.id).join(', ')
  throw new CliFailure(`${found.length} sources have that address; give one of their ids: ${ids}`)
}

async function byId(client: Client, places: readonly PodcastPlace[], id: string): Promise<SourcePlace[] | null> {
  if (/[/@]/.test(id)) return null
  for (const place of places) {
    const path = `${place.path}/sources/${segment(id)}`
    try {
      return [{ source: await client.get<SourceView>(path), path }]
    } catch (error) {
      if (!(error instanceof RefusedRequest) || error.status !== 404) throw error
    }
  }
  return null
}

async function byUrl(client: Client, places: readonly PodcastPlace[], typed: string): Promise<SourcePlace[]> {
  const wanted = comparable(typed)
  const candidates = await sourcesIn(client, places, { q: searchText(typed) })
  return candidates.filter(({ source }) =>
    [source.url, source.feedUrl ?? source.url].some((url) => comparable(url) === wanted),
  )
}

/** As the catalogue compares addresses. A word alone may be the name of an account. */
function comparable(typed: string): string {
  const recognised = BUILT_IN_TYPES.recognising(typed)
  const types = recognised ? [recognised, ...BUILT_IN_TYPES.all] : BUILT_IN_TYPES.all
  for (const type of types) {
    const read = type.readAddress(typed)
    if (!isRefused(read)) return read.urlKey
  }
  return typed
}

function searchText(typed: string): string {
  const url = URL.parse(typed)
  return url ? url.pathname.replace(/^\/|\/$/g, '') || url.hostname : typed.replace(/^@/, '')
}
