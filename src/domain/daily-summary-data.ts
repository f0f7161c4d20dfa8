// The data of the event `summary.daily`. What makes it is in daily-summary.ts.

export interface SourceIncident {
  readonly sourceId: string | null
  readonly url: string
  readonly reason: string | null
}

export interface HostIncident {
  readonly host: string
  readonly reason: string | null
}

export interface Recovery {
  /** What was wrong. */
  readonly was: 'disabled' | 'opened' | 'quiet' | 'outage'
  readonly sourceId: string | null
  /** URL of a source, name of a host, or null for our own connection. */
  readonly what: string | null
}

export interface SummaryTotals {
  readonly sources: number
  readonly enabled: number
  readonly failing: number
  readonly disabled: number
  readonly quiet: number
  /** Within the day. */
  readonly polls: number
  readonly failures: number
  readonly posts: number
}

export interface DailySummary {
  readonly from: string
  readonly until: string
  readonly totals: SummaryTotals
  readonly disabled: readonly SourceIncident[]
  readonly opened: readonly HostIncident[]
  readonly quiet: readonly SourceIncident[]
  readonly gapped: readonly (SourceIncident & { readonly intervalMinutes: number | null; readonly times: number })[]
  readonly recovered: readonly Recovery[]
  /** How many incidents were left out because there were too many. */
  readonly more: number
}
