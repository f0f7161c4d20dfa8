// How settings are called on the page, and what applies where a source has no value of its own.
import type { ConfigItem, SourceView } from '../../api/types.ts'

export type FieldValue = string | number | boolean | null

const LABELS: Readonly<Record<string, string>> = {
  label: 'Label',
  pollIntervalMinutes: 'Poll interval (minutes)',
  aggregate: 'Join posts into articles',
  categoryFilter: 'Category filter',
  maxFailures: 'Failures until disabled',
  maxBackoffHours: 'Longest wait after failures (hours)',
  pollDelaySeconds: 'Delay between visits (seconds)',
  honourFreshness: 'Wait while the server calls its answer fresh',
  backfillDays: 'Backfill (days)',
  fullText: 'Full text',
  adaptive: 'Adaptive interval',
}

/** A setting that is newer than this list is named by its words. */
export function labelOf(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return LABELS[name] ?? words.replace(/^./, (letter) => letter.toUpperCase())
}

export function settingOf(source: SourceView, name: string): FieldValue {
  return ((source as unknown as Record<string, FieldValue | undefined>)[name] ?? null) as FieldValue
}

const CONFIGURED: Readonly<Record<string, string>> = {
  pollIntervalMinutes: 'app.source.poll-interval-minutes',
  maxFailures: 'app.source.max-failures',
  maxBackoffHours: 'app.source.max-backoff-hours',
  fullText: 'app.content.full-text',
}

/** The value that applies to a source without one of its own, and the setting that says so. */
export function inherited(
  name: string,
  source: SourceView,
  config: readonly ConfigItem[],
): { readonly value: string | null; readonly from: string | null } {
  const keys = name === 'pollDelaySeconds' ? delayKeys(source) : [CONFIGURED[name] ?? null]
  const item = keys.flatMap((key) => config.find((one) => one.key === key) ?? [])[0]
  return { value: item ? String(item.value) : null, from: item?.key ?? null }
}

/** What is said of the host counts before what is said of the type. */
function delayKeys({ host, type }: SourceView): string[] {
  return [`app.source.host-overrides.${host}.poll-delay-seconds`, `app.source.poll-delay-seconds.${type}`]
}
