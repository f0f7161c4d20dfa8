// All checks, in the order of the table that `npm run politeness` prints.
import { ADDING } from './adding.ts'
import { CHARSETS } from './charsets.ts'
import type { Check } from './check.ts'
import { CONDITIONAL } from './conditional.ts'
import { FRESHNESS } from './freshness.ts'
import { IDENTITY } from './identity.ts'
import { PACE } from './pace.ts'
import { PAGES } from './pages.ts'
import { READER_SCORE } from './reader-score.ts'
import { REDIRECTS } from './redirects.ts'
import { THROTTLING } from './throttling.ts'
import { VALIDATORS_DROPPED } from './validators-dropped.ts'

export const CHECKS: readonly Check[] = [
  ...IDENTITY,
  ...CONDITIONAL,
  ...VALIDATORS_DROPPED,
  ...FRESHNESS,
  ...THROTTLING,
  ...PACE,
  ...PAGES,
  ...REDIRECTS,
  ...ADDING,
  ...CHARSETS,
  ...READER_SCORE,
]
