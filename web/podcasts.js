// The podcasts that the caller may see, and the choice among them.
/** @import { Page, PodcastView, UserView } from './types.d.ts' */
import { call } from './api.js'
import { element } from './element.js'
import { podcastPathOf } from './url-state.js'

/** @typedef {{ path: string, name: string }} Podcast */

/**
 * `owner`: the user who gets the first podcast when there is none.
 * @returns {Promise<{ owner: string, podcasts: Podcast[] }>}
 */
export async function readPodcasts() {
  /** @type {Page<UserView>} */
  const users = await call('GET', '/users?limit=500')
  const lists = await Promise.all(
    users.items.map(async (user) => {
      /** @type {Page<PodcastView>} */
      const { items } = await call('GET', `/users/${encodeURIComponent(user.id)}/podcasts?limit=500`)
      return items.map(({ id, name }) => ({
        path: podcastPathOf(user.id, id),
        name: users.items.length > 1 ? `${isolated(user.name)}: ${isolated(name)}` : name,
      }))
    }),
  )
  return { owner: users.items[0]?.id ?? '', podcasts: lists.flat() }
}

/**
 * Returns the path of the chosen podcast: `wanted` if it is there, else the first.
 * @param {HTMLSelectElement} select
 * @param {readonly Podcast[]} podcasts
 * @param {string | null} wanted
 */
export function offerPodcasts(select, podcasts, wanted) {
  const options = podcasts.map(({ path, name }) => element('option', { value: path, dir: 'auto' }, name))
  select.replaceChildren(...options)
  select.hidden = podcasts.length < 2
  const chosen = podcasts.find(({ path }) => path === wanted) ?? podcasts[0]
  select.value = chosen?.path ?? ''
  return select.value
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufefc]/

/** An option cannot hold elements, so these two characters do what <bdi> does. @param {string} text */
function isolated(text) {
  return RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text
}
