// From what a person sent to complete settings: null and, in a PUT, what was left out mean the default.
import type { z } from 'zod'
import { Problem } from '../../domain/problem.ts'
import type { SourceSettings, SourceType } from '../../domain/source.ts'
import { configuredDelay } from '../../domain/spacing.ts'
import type { SourceConfig } from '../../ports/config.ts'
import type { newSource, sourcePatch } from '../shapes/schemas.ts'

type Overrides = Omit<SourceSettings, 'podcastId' | 'type' | 'url' | 'enabled'>
type Given = Pick<z.output<typeof newSource>, Exclude<keyof Overrides, 'hasOwnInterval'>>

export function defaultOverrides(config: SourceConfig): Overrides {
  return {
    label: null,
    pollIntervalMinutes: config.pollIntervalMinutes,
    hasOwnInterval: false,
    aggregate: null,
    categoryFilter: null,
    maxFailures: null,
    maxBackoffHours: null,
    pollDelaySeconds: null,
    honourFreshness: true,
    backfillDays: 0,
  }
}

/** `given` over `base`; a null in `given` is the default, an undefined leaves the base. */
export function withOverrides(
  base: Overrides,
  given: Given | z.output<typeof sourcePatch>,
  config: SourceConfig,
): Overrides {
  const defaults = defaultOverrides(config)
  const pick = <K extends keyof Overrides>(key: K, value: Overrides[K] | null | undefined): Overrides[K] =>
    value === undefined ? base[key] : (value ?? defaults[key])
  return {
    // A blank text says as little as null.
    label: pick('label', given.label === '' ? null : given.label),
    pollIntervalMinutes: pick('pollIntervalMinutes', given.pollIntervalMinutes),
    hasOwnInterval: given.pollIntervalMinutes === undefined ? base.hasOwnInterval : given.pollIntervalMinutes !== null,
    aggregate: pick('aggregate', given.aggregate),
    categoryFilter: pick('categoryFilter', given.categoryFilter === '' ? null : given.categoryFilter),
    maxFailures: pick('maxFailures', given.maxFailures),
    maxBackoffHours: pick('maxBackoffHours', given.maxBackoffHours),
    pollDelaySeconds: pick('pollDelaySeconds', given.pollDelaySeconds),
    honourFreshness: pick('honourFreshness', given.honourFreshness),
    backfillDays: pick('backfillDays', given.backfillDays),
  }
}

const LONGEST_USER_DELAY_SECONDS = 300

/** Without admin rights a delay lies between the host's configured one and 300 s, or is not set. */
export function refuseDelay(
  delaySeconds: number | null,
  { type, host }: { type: SourceType; host: string | null },
  config: SourceConfig,
): void {
  if (delaySeconds === null || host === null) return
  const least = configuredDelay(type, host, config).seconds
  const most = Math.max(least, LONGEST_USER_DELAY_SECONDS)
  if (delaySeconds >= least && delaySeconds <= most) return
  const message = `expected ${least} to ${most} seconds for ${host}, got ${delaySeconds}; other delays need an admin token`
  throw new Problem('needs-admin', `pollDelaySeconds: ${message}`, [{ path: 'pollDelaySeconds', message }])
}
