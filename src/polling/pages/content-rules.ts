// What the configuration says about full texts.
import type { FullTextPolicy } from '../../domain/source-settings.ts'

export interface ContentRules {
  /** For sources that do not say. */
  readonly fullText: FullTextPolicy
  readonly maxPagesPerPoll: number
}
