// Whose podcasts there are to look at, and the choice among them.
import { call } from './api.js'
import { element } from './element.js'
import { homeOf } from './looked-at.js'

/** `owner`: who gets the first podcast where there is none. */
export async function readPodcasts() {
  const users = await call('GET', '/users?limit=500')
  const lists = await Promise.all(
    users.items.map(async (user) => {
      const { items } = await call('GET', `/users/${encodeURIComponent(user.id)}/podcasts?limit=500`)
      return items.map(({ id, name }) => ({
        home: homeOf(user.id, id),
        name: users.items.length > 1 ? `${isolated(user.name)}: ${isolated(name)}` : name,
      }))
    }),
  )
  return { owner: users.items[0].id, podcasts: lists.flat() }
}

/** Gives the one that is chosen: `wanted` if there is such a one, else the first. */
export function offerPodcasts(select, podcasts, wanted) {
  const options = podcasts.map(({ home, name }) => element('option', { value: home, dir: 'auto' }, name))
  select.replaceChildren(...options)
  select.hidden = podcasts.length < 2
  const chosen = podcasts.find(({ home }) => home === wanted) ?? podcasts[0]
  select.value = chosen.home
  return chosen.home
}

const TURNS = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufefc]/

/** An option holds no elements; these two characters do what <bdi> does, where something could turn. */
function isolated(text) {
  return TURNS.test(text) ? `\u2068${text}\u2069` : text
}
