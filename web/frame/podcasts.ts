// The podcasts that the caller may see, and the one whose sources and posts are shown.
import { call } from '../api/call.ts'
import type { Page, PodcastView, UserView } from '../api/types.ts'
import { createState } from '../parts/state.ts'

export interface Podcast {
  readonly id: string
  readonly userId: string
  readonly name: string
  /** With the user's name before it, where there are several users. */
  readonly title: string
  readonly path: string
}

export const users = createState<readonly UserView[]>([])
/** null until they are known. */
export const podcasts = createState<readonly Podcast[] | null>(null)
export const chosenPodcast = createState<Podcast | null>(null)

const CHOICE = 'tidings-podcast'

export function userPath(userId: string): string {
  return `/users/${encodeURIComponent(userId)}`
}

let reads = 0
let lastTaken = 0

export async function readPodcasts(): Promise<void> {
  const mine = ++reads
  const { items } = await call<Page<UserView>>('GET', '/users?limit=500')
  const lists = await Promise.all(
    items.map(async (user) => {
      const page = await call<Page<PodcastView>>('GET', `${userPath(user.id)}/podcasts?limit=500`)
      return page.items.map((podcast) => podcastOf(user, podcast, items.length > 1))
    }),
  )
  // An answer that was overtaken by a later one is old.
  if (mine < lastTaken) return
  lastTaken = mine
  users.set(items)
  const all = lists.flat()
  const wanted = chosenPodcast.get()?.path ?? localStorage.getItem(CHOICE)
  chosenPodcast.set(all.find(({ path }) => path === wanted) ?? all[0] ?? null)
  podcasts.set(all)
}

function podcastOf(user: UserView, { id, name }: PodcastView, namesUser: boolean): Podcast {
  const path = `${userPath(user.id)}/podcasts/${encodeURIComponent(id)}`
  const title = namesUser ? `${isolated(user.name)}: ${isolated(name)}` : name
  return { id, userId: user.id, name, title, path }
}

export function choosePodcast(path: string): void {
  localStorage.setItem(CHOICE, path)
  chosenPodcast.set(podcasts.get()?.find((podcast) => podcast.path === path) ?? null)
}

/** Of this podcast's owner, else of the first user: whose tokens, keys and webhooks are shown. */
export function ownerId(): string {
  return chosenPodcast.get()?.userId ?? users.get()[0]?.id ?? 'default'
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufefc]/

/** An option cannot hold elements, so these two characters do what <bdi> does. */
function isolated(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text
}
