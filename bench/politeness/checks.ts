// Every promise that hosts get, in the order in which a person would ask about them.
import { ADDING } from './adding.ts'
import { CHARSETS } from './charsets.ts'
import type { Check } from './check.ts'
import { CONDITIONAL } from './conditional.ts'
import { FRESHNESS } from './freshness.ts'
import { IDENTITY } from './identity.ts'
import { PACE } from './pace.ts'
import { REDIRECTS } from './redirects.ts'
import { THROTTLING } from './throttling.ts'

export const CHECKS: readonly Check[] = [
  ...IDENTITY,
  ...CONDITIONAL,
  ...FRESHNESS,
  ...THROTTLING,
  ...PACE,
  ...REDIRECTS,
  ...ADDING,
  ...CHARSETS,
]
