// Reads sources of type `twitter`: an X account, read with its owner's key only. The account's id is looked up once and
// kept in the mark; when X no longer knows that id, the name is looked up again.
// An answer is never "unchanged": since_id already leaves out what was read, so an empty page is an ordinary answer.
// See docs/decisions/0062-x-accounts-followed-by-id.md

import { backfillStart } from '../../domain/choose.ts'
import type { Failure } from '../../domain/outcome.ts'
import { DAY_MS, MINUTE_MS } from '../../domain/schedule.ts'
import type { Source } from '../../domain/source.ts'
import type { Waiting } from '../../domain/x-posts-limit.ts'
import { NO_X_KEY, xNameIn } from '../../domain/x-type.ts'
import type { ReadResult, SourceReader } from '../../ports/reader.ts'
import { type Mark, readMark, writeMark } from './mark.ts'
import { candidateOf } from './post.ts'
import { readTimeline, type Timeline } from './timeline.ts'
import { createXApi, type NotRead, type XApi } from './x-api.ts'

export interface XSourceOptions {
  readonly baseUrl: string
  /** The user's X key; null when there is none, a failure when the stored one cannot be decrypted. */
  readonly keyOf: (userId: string) => Promise<string | null | Failure>
  readonly now: () => number
  readonly maxArticleAgeDays: (source: Source) => Promise<number>
  readonly usage: XUsage
}

/** The posts that X returned to a user's key. */
export interface XUsage {
  count(userId: string, posts: number): Promise<void>
  /** Set while the user's X sources wait, because the limit of this month is reached. */
  waiting(userId: string): Promise<Waiting | null>
}

const NO_KEY: Failure = { code: 'missing-key', httpStatus: null, reason: NO_X_KEY }

export function createXSource(options: XSourceOptions): SourceReader {
  const { baseUrl, keyOf, usage } = options
  return {
    waiting: ({ userId }) => usage.waiting(userId),
    async read(source, visit) {
      // A row may have been written without the catalogue's check.
      const name = xNameIn(source.url)
      if (name === null)
        return impossible({ code: 'bad-url', httpStatus: null, reason: 'not the address of an X account' })
      const key = await keyOf(source.userId)
      if (key === null) return impossible(NO_KEY)
      if (typeof key !== 'string') return impossible(key)
      const waiting = await usage.waiting(source.userId)
      if (waiting) return { kind: 'ended', by: { kind: 'put-off', ...waiting, lane: source.lane, because: 'not-free' } }
      const onPostsRead = (posts: number) => usage.count(source.userId, posts)
      const api = createXApi({ baseUrl, key, name, visit, onPostsRead })
      return readAccount(api, source, name, await oldestWanted(source, options))
    },
  }
}

async function readAccount(api: XApi, source: Source, name: string, oldest: number): Promise<ReadResult> {
  const mark = readMark(source.lastSeenId)
  // The account stays the same one, whoever has its name by now.
  const known = mark && source.choosesAsFirst ? { ...mark, sinceId: null } : mark
  if (known === null) return lookUpAndRead(api, name, oldest, null)
  const read = await readTimeline(api, known, oldest)
  if (read.kind === 'timeline') return documentOf(read, name, [])
  return isGone(read) ? lookUpAndRead(api, name, oldest, { mark: known, read }) : read
}

/** Looks the account up by name. `before`: what the id of earlier polls led to. */
async function lookUpAndRead(
  api: XApi,
  name: string,
  oldest: number,
  before: { mark: Mark; read: NotRead } | null,
): Promise<ReadResult> {
  const found = await api.lookUp()
  if (!found.ok) return found.result
  const userId = found.value
  if (before?.mark.userId === userId) return before.read
  const read = await readTimeline(api, { userId, sinceId: null }, oldest)
  if (read.kind !== 'timeline') return read
  const notes = before ? [`@${name} is another account now: ${userId} instead of ${before.mark.userId}`] : []
  return documentOf(read, name, notes)
}

function documentOf(read: Timeline, name: string, notes: readonly string[]): ReadResult {
  return {
    kind: 'document',
    answer: read.answer,
    candidates: read.posts.map((post) => candidateOf(post, name)),
    freshness: null,
    notes: [...notes, ...read.notes],
    mark: writeMark(read.mark),
    bodyHash: read.bytesHash,
    title: `@${name}`,
  }
}

/**
 * What is older than the source (less its backfill) or than the age limit is not kept, so it is not asked for: X bills it.
 * X refuses an instant that is not past by its own clock, and a source may be polled the moment it is made.
 */
async function oldestWanted(source: Source, { now, maxArticleAgeDays }: XSourceOptions): Promise<number> {
  const byAge = now() - (await maxArticleAgeDays(source)) * DAY_MS
  return Math.min(Math.max(byAge, backfillStart(source)), now() - MINUTE_MS)
}

function isGone(read: NotRead): boolean {
  if (read.kind === 'unreadable') return read.failure.code === 'unknown-user'
  return read.by.kind === 'status' && read.by.status === 404
}

function impossible(failure: Failure): ReadResult {
  return { kind: 'impossible', failure }
}
