// Finds users, podcasts and sources by what a person typed (an id, a name or a URL), with their path in the API.
import type { PodcastView, SourceView, UserView } from '../../catalogue/shapes/answers.ts'
import { hideCredentials, isRefused } from '../../domain/address.ts'
import { BUILT_IN_TYPES } from '../../domain/built-in-types.ts'
import { DEFAULT_ID } from '../../domain/person.ts'
import { CliFailure } from '../failure.ts'
import { type Client, RefusedRequest, segment } from './client.ts'
import { didYouMean, isPrefix, matchOf, matchOrFail, severalFit } from './match-id.ts'

export interface FoundPodcast {
  readonly podcast: PodcastView
  readonly path: string
}

export interface FoundSource {
  readonly source: SourceView
  readonly path: string
}

export function userPath(userId: string): string {
  return `/api/users/${segment(userId)}`
}

const USER = { one: 'user', many: 'users', listedBy: 'tidings user list' }
const PODCAST = { one: 'podcast', many: 'podcasts', listedBy: 'tidings podcast list' }
const SOURCE = { one: 'source', many: 'sources', listedBy: 'tidings list' }

/** By id or name. If none is given: the default one, or the only one that the caller may see. */
export async function findUser(client: Client, idOrName: string | undefined): Promise<UserView> {
  const users = await client.all<UserView>('/api/users')
  const [only, ...others] = users
  if (idOrName === undefined && only && others.length === 0) return only
  return matchOrFail(USER, users, idOrName ?? DEFAULT_ID)
}

export async function allPodcasts(client: Client): Promise<FoundPodcast[]> {
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

/** By id or name. If none is given: the default one, or the only one that the caller may see. */
export async function findPodcast(client: Client, idOrName: string | undefined): Promise<FoundPodcast> {
  const all = await allPodcasts(client)
  const podcasts = all.map(({ podcast }) => podcast)
  const chosen = matchOf(PODCAST, podcasts, idOrName ?? DEFAULT_ID)
  const found = all.find(({ podcast }) => podcast === chosen)
  if (found) return found
  const [only, ...others] = all
  if (idOrName === undefined && only && others.length === 0) return only
  const names = podcasts.map(({ name }) => name)
  const listed = names.join(', ') || 'none yet'
  throw new CliFailure(
    idOrName === undefined
      ? `Say which podcast with --podcast: ${names.length === 0 ? 'there is none yet' : listed}`
      : `There is no podcast ${idOrName}.${didYouMean(idOrName, names)} There are: ${listed}`,
  )
}

export async function findPodcasts(client: Client, idOrName: string | undefined): Promise<FoundPodcast[]> {
  return idOrName === undefined ? allPodcasts(client) : [await findPodcast(client, idOrName)]
}

export async function sourcesIn(
  client: Client,
  podcasts: readonly FoundPodcast[],
  query: Readonly<Record<string, string | undefined>> = {},
): Promise<FoundSource[]> {
  const found: FoundSource[] = []
  for (const { path } of podcasts) {
    const sources = await client.all<SourceView>(`${path}/sources`, query)
    found.push(...sources.map((source) => ({ source, path: `${path}/sources/${segment(source.id)}` })))
  }
  return found
}

export async function findSource(client: Client, idOrUrl: string): Promise<FoundSource> {
  const podcasts = await allPodcasts(client)
  const found =
    (await byId(client, podcasts, idOrUrl)) ??
    (await byPrefix(client, podcasts, idOrUrl)) ??
    (await byUrl(client, podcasts, idOrUrl))
  const [one, ...others] = found
  if (!one) throw await noSuchSource(client, podcasts, idOrUrl)
  if (others.length === 0) return one
  throw severalFit(
    `${found.length} sources have that address`,
    found.map(({ source }) => source),
  )
}

async function byPrefix(
  client: Client,
  podcasts: readonly FoundPodcast[],
  typed: string,
): Promise<FoundSource[] | null> {
  if (!isPrefix(typed)) return null
  const all = await sourcesIn(client, podcasts)
  const ids = all.map(({ source: { id } }) => ({ id }))
  const match = matchOf(SOURCE, ids, typed)
  return match ? all.filter(({ source }) => source.id === match.id) : null
}

// To read all of a very large list for a suggestion would take longer than a person waits.
const SUGGESTED_FROM = 2000

async function noSuchSource(client: Client, podcasts: readonly FoundPodcast[], typed: string): Promise<CliFailure> {
  const known: string[] = []
  for (const { path } of podcasts) {
    const sources = await client.all<SourceView>(`${path}/sources`, {}, SUGGESTED_FROM - known.length)
    known.push(...sources.flatMap(({ id, url, feedUrl }) => [url, ...(feedUrl === null ? [] : [feedUrl]), id]))
    if (known.length >= SUGGESTED_FROM) break
  }
  const shown = hideCredentials(typed)
  return new CliFailure(`There is no source ${shown}.${didYouMean(shown, known)} "${SOURCE.listedBy}" shows them.`)
}

async function byId(client: Client, podcasts: readonly FoundPodcast[], id: string): Promise<FoundSource[] | null> {
  if (/[/@]/.test(id)) return null
  for (const podcast of podcasts) {
    const path = `${podcast.path}/sources/${segment(id)}`
    try {
      return [{ source: await client.get<SourceView>(path), path }]
    } catch (error) {
      if (!(error instanceof RefusedRequest) || error.status !== 404) throw error
    }
  }
  return null
}

async function byUrl(client: Client, podcasts: readonly FoundPodcast[], typed: string): Promise<FoundSource[]> {
  const wanted = comparable(typed)
  const candidates = await sourcesIn(client, podcasts, { q: searchText(typed) })
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
