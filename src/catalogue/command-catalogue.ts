// The catalogue of a command. What shows users, podcasts and sources is loaded with it, everything else at first use.
import { loadedLater } from '../loaded-later.ts'
import type { Catalogue, GivenParts } from './catalogue.ts'
import { createPodcasts } from './people/podcasts.ts'
import { createUsers } from './people/users.ts'
import { createIds } from './shapes/ids.ts'
import { typedShapes } from './shapes/typed-shapes.ts'
import { sourceReading } from './sources/read-sources.ts'

export function createCommandCatalogue(given: GivenParts): Catalogue {
  const { types } = given
  const shapes = typedShapes(types)
  const parts = { ...given, shapes, newId: given.newId ?? createIds(given.clock) }
  let loading: Promise<Catalogue> | null = null
  const whole = (): Promise<Catalogue> => {
    loading ??= import('./catalogue.ts').then(({ createCatalogue }) => createCatalogue(given))
    return loading
  }
  return {
    types,
    shapes,
    users: createUsers(parts),
    podcasts: createPodcasts(parts),
    sources: loadedLater(async () => (await whole()).sources, sourceReading(parts)),
    tokens: loadedLater(async () => (await whole()).tokens, {}),
    keys: loadedLater(async () => (await whole()).keys, {}),
    posts: loadedLater(async () => (await whole()).posts, {}),
    articles: loadedLater(async () => (await whole()).articles, {}),
    cursors: loadedLater(async () => (await whole()).cursors, {}),
    webhooks: loadedLater(async () => (await whole()).webhooks, {}),
    notifiers: loadedLater(async () => (await whole()).notifiers, {}),
  }
}
