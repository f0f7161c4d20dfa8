// The settings of a source that have a default, one entry each. Whatever handles settings reads this table: the schemas
// of the API, the export, the database columns, what a change of settings does, command-line options, test fixtures.
// A new setting is an entry here, a column in both migrations, and the rule that uses it.
// `podcastId`, `type`, `url` and `enabled` have rules of their own and are not in the table.

export const FULL_TEXT_POLICIES = ['never', 'auto', 'always'] as const
export type FullTextPolicy = (typeof FULL_TEXT_POLICIES)[number]

type Kind =
  | { readonly kind: 'text'; readonly what: string; readonly maxLength: number; readonly default: null }
  /** `configured`: the default is the configuration's value of the same name, and is stored with the source. */
  | {
      readonly kind: 'whole'
      readonly min: number
      readonly max: number
      readonly default: number | null | 'configured'
    }
  | { readonly kind: 'boolean'; readonly default: boolean | null }
  | { readonly kind: 'choice'; readonly choices: readonly [string, ...string[]]; readonly default: string | null }

export type Setting = Kind & {
  /** Changing it plans the next poll anew. */
  readonly replans: boolean
  /** Changing it reads the next document even if it has not changed, because other entries may be chosen from it. */
  readonly rereads: boolean
  readonly exported: boolean
  /** On the command line, as commander writes options; null: there is none. */
  readonly option: string | null
  /** For the description of the API and the help of commands. */
  readonly meaning: string
  /** What applies to a source that has no value of its own. */
  readonly whenNull?: string
}

export const SOURCE_SETTINGS = {
  label: {
    ...{ kind: 'text', what: 'a label', maxLength: 200, default: null },
    ...{ replans: false, rereads: false, exported: true },
    option: '--label <text>',
    meaning: 'a name for the source',
  },
  folder: {
    ...{ kind: 'text', what: 'a folder', maxLength: 1000, default: null },
    ...{ replans: false, rereads: false, exported: true },
    option: '--folder <path>',
    meaning: 'the folder in exported lists; / separates folders inside each other, and \\/ is a slash in a name',
  },
  pollIntervalMinutes: {
    ...{ kind: 'whole', min: 1, max: 10_080, default: 'configured' },
    ...{ replans: true, rereads: false, exported: true },
    option: '--interval <minutes>',
    meaning: 'minutes between two polls',
    whenNull: 'the configured app.source.poll-interval-minutes',
  },
  aggregate: {
    ...{ kind: 'boolean', default: null },
    ...{ replans: false, rereads: false, exported: true },
    option: null,
    meaning: 'whether several posts become one article',
    whenNull: 'by type',
  },
  categoryFilter: {
    ...{ kind: 'text', what: 'comma-separated terms', maxLength: 1000, default: null },
    ...{ replans: false, rereads: true, exported: true },
    option: '--filter <terms>',
    meaning: 'only entries with one of these comma-separated terms',
  },
  maxFailures: {
    ...{ kind: 'whole', min: 1, max: 1000, default: null },
    ...{ replans: false, rereads: false, exported: true },
    option: '--max-failures <count>',
    meaning: 'permanent failures in a row after which the source is disabled',
    whenNull: 'the configured app.source.max-failures',
  },
  maxBackoffHours: {
    ...{ kind: 'whole', min: 1, max: 720, default: null },
    ...{ replans: true, rereads: false, exported: true },
    option: '--max-backoff <hours>',
    meaning: 'the longest wait after failures, in hours',
    whenNull: 'the configured app.source.max-backoff-hours',
  },
  pollDelaySeconds: {
    ...{ kind: 'whole', min: 0, max: 3600, default: null },
    ...{ replans: false, rereads: false, exported: true },
    option: '--delay <seconds>',
    meaning: 'seconds between two visits to the host',
    whenNull: 'the configured delay of the host or type',
  },
  honourFreshness: {
    ...{ kind: 'boolean', default: true },
    ...{ replans: true, rereads: false, exported: true },
    option: null,
    meaning: 'whether to wait for as long as the server says that its answer stays fresh',
  },
  backfillDays: {
    ...{ kind: 'whole', min: 0, max: 365, default: 0 },
    ...{ replans: false, rereads: true, exported: true },
    option: '--backfill <days>',
    meaning: 'how many days old posts of the first poll may be; 0: only what comes after the source was added',
  },
  fullText: {
    ...{ kind: 'choice', choices: FULL_TEXT_POLICIES, default: null },
    ...{ replans: false, rereads: false, exported: true },
    option: '--full-text <policy>',
    meaning: 'whether the page behind a post is asked for its text: never, auto (when the text looks cut) or always',
    whenNull: 'the configured app.content.full-text',
  },
  adaptive: {
    ...{ kind: 'boolean', default: false },
    ...{ replans: true, rereads: false, exported: true },
    option: '--adaptive <on or off>',
    meaning: 'whether the interval is learned from how the source publishes',
  },
} as const satisfies Readonly<Record<string, Setting>>

type Table = typeof SOURCE_SETTINGS
export type SettingName = keyof Table

type GivenValue<S> = S extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : S extends { readonly kind: 'text' }
    ? string
    : S extends { readonly kind: 'boolean' }
      ? boolean
      : number

/** What a person may give. */
export type GivenSettings = { readonly [N in SettingName]: GivenValue<Table[N]> }

/** What a source has: null only where that is the default. */
export type SettingValues = {
  readonly [N in SettingName]: GivenSettings[N] | (Table[N]['default'] extends null ? null : never)
}

type ConfiguredName = { [N in SettingName]: Table[N]['default'] extends 'configured' ? N : never }[SettingName]
export type ConfiguredDefaults = Readonly<Record<ConfiguredName, number>>

export const SETTING_NAMES = Object.keys(SOURCE_SETTINGS) as readonly SettingName[]

export function defaultSettings(config: ConfiguredDefaults): SettingValues {
  return eachSetting((name) => {
    const setting: Setting = SOURCE_SETTINGS[name]
    return setting.default === 'configured' ? config[name as ConfiguredName] : setting.default
  }) as SettingValues
}

/** The settings of the table, and nothing else that a source has. */
export function settingsOf(source: SettingValues): SettingValues {
  return eachSetting((name) => source[name]) as SettingValues
}

/** One value per setting. The caller says what the values are. */
export function eachSetting<V>(make: (name: SettingName) => V): Record<SettingName, V> {
  return Object.fromEntries(SETTING_NAMES.map((name) => [name, make(name)])) as Record<SettingName, V>
}
