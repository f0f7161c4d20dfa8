// People and what proves who they are, as the store keeps them.
import type { Podcast, Token, User } from '../domain/person.ts'
import type { Page, PageQuery } from './page.ts'

/** What is limited for users without admin rights, and how many of it a user has. */
export interface OwnedCounts {
  readonly sources: number
  readonly podcasts: number
  readonly tokens: number
  readonly cursors: number
  readonly webhooks: number
}

/** `most`: how many the owner may have; null or left out: any number. Beyond it the problem 'limit-reached' is thrown. */
export interface PeopleStore {
  /** No two users have the same name, and no two podcasts of a user. */
  addUser(user: User): Promise<'added' | 'name-taken'>
  getUser(id: string): Promise<User | null>
  listUsers(page: PageQuery): Promise<Page<User>>
  renameUser(id: string, name: string): Promise<User | null | 'name-taken'>
  /** Takes podcasts, sources, posts, articles, tokens and secrets along. */
  removeUser(id: string): Promise<boolean>

  addPodcast(podcast: Podcast, most?: number | null): Promise<'added' | 'name-taken'>
  getPodcast(id: string): Promise<Podcast | null>
  listPodcasts(userId: string | null, page: PageQuery): Promise<Page<Podcast>>
  changePodcast(
    id: string,
    change: Partial<Pick<Podcast, 'name' | 'topic' | 'maxArticleAgeDays'>>,
  ): Promise<Podcast | null | 'name-taken'>
  removePodcast(id: string): Promise<boolean>

  addToken(token: Token, tokenHash: string, most?: number | null): Promise<void>
  listTokens(userId: string, page: PageQuery): Promise<Page<Token>>
  findToken(tokenHash: string): Promise<Token | null>
  /** Kept to the minute: a busy token does not write with every request. */
  touchToken(id: string, at: number): Promise<void>
  removeToken(userId: string, id: string): Promise<boolean>

  /**
   * Counts a test fetch of the user, if there were fewer than so many within the last minute, by any process. Otherwise
   * returns when the next one is allowed.
   */
  takeTestFetch(userId: string, perMinute: number, now: number): Promise<number | null>

  countOwned(userId: string): Promise<OwnedCounts>
  /** What the user's posts and articles take. */
  storedBytes(userId: string): Promise<number>

  /** Posts that X returned to the user's key. Days are those of UTC, counted since 1970. */
  countXPostsRead(userId: string, day: number, posts: number): Promise<void>
  xPostsReadSince(userId: string, day: number): Promise<number>
  xPostsReadOn(day: number): Promise<readonly { readonly userId: string; readonly posts: number }[]>
}
