// One key of the configuration.
import type { Kind } from './kinds.ts'

export interface Key {
  /** Kebab-case, without the leading `app.`. */
  readonly path: string
  readonly default: unknown
  readonly kind: Kind
  readonly about: string
  /** Never shown, not even in an error. */
  readonly secret?: true
}
