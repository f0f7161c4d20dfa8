// The types that several modules of the dashboard share. What the API answers has the API's own types.
import type { PollView, QueuedView } from '../src/catalogue/shapes/answers.ts'

export type {
  PodcastView,
  PollView,
  QueuedView,
  SourceView,
  UserView,
  WhyView,
} from '../src/catalogue/shapes/answers.ts'
export type { HostView, StatusView } from '../src/catalogue/shapes/polling-answers.ts'

export interface Page<T> {
  items: T[]
  nextCursor: string | null
}

/** What a poll on demand led to; `what` says what was done, if not just polled. */
export type PollAnswer = (PollView | QueuedView) & { what?: string }

/** Does the work of a button and tells how it went; `afterwards` replaces the usual refresh. */
export type RunAction = (work: () => unknown, button: HTMLElement, afterwards?: () => Promise<void>) => Promise<void>

/** Of the list of sources, as the API takes them. */
export interface SourceFilter {
  q?: string
  health?: string
}

/** A row of a list that outlives refreshes. */
export interface Row<T> {
  node: HTMLElement
  update(item: T): void
}
