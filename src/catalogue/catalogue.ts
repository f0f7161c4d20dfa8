// What people do to users, podcasts, sources, tokens and keys: the one door for API, CLI and library.
// Input is validated here and nowhere else; answers are the public shapes, with instants as ISO strings.
import type { SourceTypes } from '../domain/source-type.ts'
import { type ArticleCatalogue, createArticles } from './consumers/articles.ts'
import { type CursorCatalogue, createCursors } from './consumers/cursors.ts'
import { createPosts, type PostCatalogue } from './consumers/posts.ts'
import type { CatalogueParts } from './parts.ts'
import { createKeys, type KeyCatalogue } from './people/keys.ts'
import { createNotifiers, type NotifierCatalogue } from './people/notifiers.ts'
import { createPodcasts, type PodcastCatalogue } from './people/podcasts.ts'
import { createTokens, type TokenCatalogue } from './people/tokens.ts'
import { createUsers, type UserCatalogue } from './people/users.ts'
import { createWebhooks, type WebhookCatalogue } from './people/webhooks.ts'
import { createIds } from './shapes/ids.ts'
import { type TypedShapes, typedShapes } from './shapes/typed-shapes.ts'
import { createSources, type SourceCatalogue } from './sources/sources.ts'
import { createTransfer, type Transfer } from './transfer/transfer.ts'

export interface Catalogue {
  /** The source types that there are, and the shapes that name them. */
  readonly types: SourceTypes
  readonly shapes: TypedShapes
  readonly users: UserCatalogue
  readonly podcasts: PodcastCatalogue
  readonly sources: SourceCatalogue & Transfer
  readonly tokens: TokenCatalogue
  readonly keys: KeyCatalogue
  readonly posts: PostCatalogue
  readonly articles: ArticleCatalogue
  readonly cursors: CursorCatalogue
  readonly webhooks: WebhookCatalogue
  readonly notifiers: NotifierCatalogue
}

export type GivenParts = Omit<CatalogueParts, 'newId' | 'shapes'> & { readonly newId?: () => string }

export function createCatalogue({ newId, ...given }: GivenParts): Catalogue {
  const { types } = given
  const shapes = typedShapes(types)
  const parts = { ...given, shapes, newId: newId ?? createIds(given.clock) }
  const sources = createSources(parts)
  return {
    types,
    shapes,
    users: createUsers(parts),
    podcasts: createPodcasts(parts),
    sources: { ...sources, ...createTransfer(parts) },
    tokens: createTokens(parts),
    keys: createKeys(parts),
    posts: createPosts(parts),
    articles: createArticles(parts),
    cursors: createCursors(parts),
    webhooks: createWebhooks(parts),
    notifiers: createNotifiers(parts),
  }
}
