// What people do to users, podcasts, sources, tokens and keys: the one door for API, CLI and library.
// Input is validated here and nowhere else; answers are the public shapes, with instants as ISO strings.
import { type ArticleCatalogue, createArticles } from './articles.ts'
import { type CursorCatalogue, createCursors } from './cursors.ts'
import { createIds } from './ids.ts'
import { createKeys, type KeyCatalogue } from './keys.ts'
import type { CatalogueParts } from './parts.ts'
import { createPodcasts, type PodcastCatalogue } from './podcasts.ts'
import { createPosts, type PostCatalogue } from './posts.ts'
import { createSources, type SourceCatalogue } from './sources.ts'
import { createTokens, type TokenCatalogue } from './tokens.ts'
import { createTransfer, type Transfer } from './transfer.ts'
import { createUsers, type UserCatalogue } from './users.ts'
import { createWebhooks, type WebhookCatalogue } from './webhooks.ts'

export interface Catalogue {
  readonly users: UserCatalogue
  readonly podcasts: PodcastCatalogue
  readonly sources: SourceCatalogue & Transfer
  readonly tokens: TokenCatalogue
  readonly keys: KeyCatalogue
  readonly posts: PostCatalogue
  readonly articles: ArticleCatalogue
  readonly cursors: CursorCatalogue
  readonly webhooks: WebhookCatalogue
}

export function createCatalogue({
  newId,
  ...given
}: Omit<CatalogueParts, 'newId'> & { readonly newId?: () => string }): Catalogue {
  const parts = { ...given, newId: newId ?? createIds(given.clock) }
  const sources = createSources(parts)
  return {
    users: createUsers(parts),
    podcasts: createPodcasts(parts),
    sources: { ...sources, ...createTransfer(parts, sources) },
    tokens: createTokens(parts),
    keys: createKeys(parts),
    posts: createPosts(parts),
    articles: createArticles(parts),
    cursors: createCursors(parts),
    webhooks: createWebhooks(parts),
  }
}
