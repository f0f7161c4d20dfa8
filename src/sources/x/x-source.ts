// Reads sources of type `twitter`: an X account, read with its owner's key only. The account's id is looked up once and
// kept in the mark; when X no longer knows that id, the name is looked up again.
// An answer is never "unchanged": since_id already leaves out what was read, so an empty page is an ordinary answer.
// See docs/decisions/0062-x-accounts-followed-by-id.md

import { backfillStart, isFirstPoll } from '../../domain/choose.ts'
import type { Failure } from '../../domain/outcome.ts'
import type { Source } from '../../domain/source.ts'
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
}

const NO_KEY: Failure = { code: 'missing-key', httpStatus: null, reason: NO_X_KEY }

export function createXSource({ baseUrl, keyOf }: XSourceOptions): SourceReader {
  return {
    async read(source, visit) {
      // A row may have been written without the catalogue's check.
      const name = xNameIn(source.url)
      if (name === null)
        return impossible({ code: 'bad-url', httpStatus: null, reason: 'not the address of an X account' })
      const key = await keyOf(source.userId)
      if (key === null) return impossible(NO_KEY)
      if (typeof key !== 'string') return impossible(key)
      return readAccount(createXApi({ baseUrl, key, name, visit }), source, name)
    },
  }
}

async function readAccount(api: XApi, source: Source, name: string): Promise<ReadResult> {
  const mark = readMark(source.lastSeenId)
  // The account stays the same one, whoever has its name by now.
  const known = mark && source.choosesAsFirst ? { ...mark, sinceId: null } : mark
  if (known === null) return lookUpAndRead(api, source, name, null)
  const read = await readTimeline(api, known, oldestWanted(source))
  if (read.kind === 'timeline') return documentOf(read, name, [])
  return isGone(read) ? lookUpAndRead(api, source, name, { mark: known, read }) : read
}

/** Looks the account up by name. `before`: what the id of earlier polls led to. */
async function lookUpAndRead(
  api: XApi,
  source: Source,
  name: string,
  before: { mark: Mark; read: NotRead } | null,
): Promise<ReadResult> {
  const found = await api.lookUp()
  if (!found.ok) return found.result
  const userId = found.value
  if (before?.mark.userId === userId) return before.read
  const read = await readTimeline(api, { userId, sinceId: null }, oldestWanted(source))
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

/** The first poll stores nothing older than the source (less its backfill), so it need not page further back. */
function oldestWanted(source: Source): number | null {
  return isFirstPoll(source) ? backfillStart(source) : null
}

function isGone(read: NotRead): boolean {
  if (read.kind === 'unreadable') return read.failure.code === 'unknown-user'
  return read.by.kind === 'status' && read.by.status === 404
}

function impossible(failure: Failure): ReadResult {
  return { kind: 'impossible', failure }
}
