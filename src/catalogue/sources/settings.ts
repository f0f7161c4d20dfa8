// Completes the settings that a person sent: null means the default, and so does a field that a PUT leaves out.
import type { z } from 'zod'
import { Problem } from '../../domain/problem.ts'
import type { SourceSettings, SourceType } from '../../domain/source.ts'
import { defaultSettings, eachSetting, type SettingName, type SettingValues } from '../../domain/source-settings.ts'
import { configuredDelay } from '../../domain/spacing.ts'
import type { SourceConfig } from '../../ports/config.ts'
import type { sourcePatch } from '../shapes/schemas.ts'

type Overrides = SettingValues & Pick<SourceSettings, 'hasOwnInterval'>
type Given = Pick<z.output<typeof sourcePatch>, SettingName>

export function defaultOverrides(config: SourceConfig): Overrides {
  return { ...defaultSettings(config), hasOwnInterval: false }
}

/** `given` over `base`: null and blank text mean the default, and what was left out stays as in `base`. */
export function withOverrides(base: Overrides, given: Given, config: SourceConfig): Overrides {
  const defaults = defaultSettings(config)
  const settings = eachSetting((name) => {
    const value = given[name]
    if (value === undefined) return base[name]
    return value === null || value === '' ? defaults[name] : value
  })
  const interval = given.pollIntervalMinutes
  const hasOwnInterval = interval === undefined ? base.hasOwnInterval : interval !== null
  return { ...(settings as SettingValues), hasOwnInterval }
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
