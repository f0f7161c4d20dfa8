// How the poll of a source ended, before anything of it is written.
import type { Failure, SkipCounts } from '../../domain/outcome.ts'
import type { Gap, Publications } from '../../domain/rhythm.ts'
import type { StatedByDocument, Validators } from '../../domain/source.ts'
import type { FeedFreshness } from '../../ports/reader.ts'

export interface AnswerFacts {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly trail: readonly { from: string; to: string; status: number }[]
}

export type PollOutcome =
  | {
      readonly kind: 'success'
      readonly answer: AnswerFacts & { readonly validators: Validators }
      readonly notModified: boolean
      readonly freshness: FeedFreshness | null
      readonly found: number
      readonly skipped: SkipCounts
      readonly notes: readonly string[]
      /** What the source remembers from the document; null when none was parsed. */
      readonly learned: {
        readonly lastSeenId: string | null
        readonly bodyHash: string | null
        /** The next poll that reads a document chooses like a first one; by default it does not. */
        readonly choosesAsFirst?: boolean
        readonly feedUrl?: string
        readonly publications: Publications
        readonly gap: Gap | null
        readonly stated: StatedByDocument
      } | null
    }
  | { readonly kind: 'failure'; readonly failure: Failure; readonly answer: AnswerFacts | null }
