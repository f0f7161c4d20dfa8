// A source as a row. The owner is the podcast's, so it is joined in; `url_hash`, `search` and
// `sort_name` follow from other fields.
import { createHash } from 'node:crypto'
import { nameOf, type Source } from '../../domain/source.ts'
import { eachSetting, type Setting, type SettingValues, SOURCE_SETTINGS } from '../../domain/source-settings.ts'
import type { SourceChange } from '../../ports/source-store.ts'
import { type Columns, type ColumnType, codecOf, replaceNul } from '../database/columns.ts'
import type { Db, Param, Row } from '../database/db.ts'
import { andOnlyIf } from '../database/later-writes.ts'
import { readFrom } from '../database/row-versions.ts'

const COLUMN_TYPES: Readonly<Record<Setting['kind'], ColumnType>> = {
  text: 'text',
  whole: 'integer',
  boolean: 'boolean',
  choice: 'text',
}

/** The column of `maxBackoffHours` is `max_backoff_hours`. */
const SETTING_COLUMNS: Columns<SettingValues> = eachSetting((name) => {
  const column = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return [column, COLUMN_TYPES[SOURCE_SETTINGS[name].kind]]
})

const codec = codecOf<Omit<Source, 'userId'>>({
  id: ['id', 'text'],
  podcastId: ['podcast_id', 'text'],
  type: ['type', 'text'],
  url: ['url', 'text'],
  ...SETTING_COLUMNS,
  hasOwnInterval: ['has_own_interval', 'boolean'],
  enabled: ['enabled', 'boolean'],
  feedUrl: ['feed_url', 'text'],
  lastPolled: ['last_polled', 'integer'],
  lastSucceededAt: ['last_succeeded_at', 'integer'],
  lastSeenId: ['last_seen_id', 'text'],
  choosesAsFirst: ['chooses_as_first', 'boolean'],
  nextPollAt: ['next_poll_at', 'integer'],
  isMadeDue: ['made_due', 'boolean'],
  consecutiveFailures: ['consecutive_failures', 'integer'],
  permanentRun: ['permanent_run', 'json'],
  lastFailureType: ['last_failure_type', 'text'],
  lastFailureReason: ['last_failure_reason', 'text'],
  disabledReason: ['disabled_reason', 'text'],
  lastPermanentAt: ['last_permanent_at', 'integer'],
  autoDisabledAt: ['auto_disabled_at', 'integer'],
  validators: ['validators', 'json'],
  bodyHash: ['body_hash', 'text'],
  feedFreshness: ['feed_freshness', 'json'],
  freshUntil: ['fresh_until', 'integer'],
  retryAt: ['retry_at', 'integer'],
  redirect: ['redirect', 'json'],
  leadsTo: ['leads_to', 'text'],
  rhythm: ['rhythm', 'json'],
  learnedIntervalMinutes: ['learned_interval_minutes', 'integer'],
  quietSince: ['quiet_since', 'integer'],
  title: ['title', 'text'],
  siteUrl: ['site_url', 'text'],
  language: ['language', 'text'],
  postCount: ['post_count', 'integer'],
  host: ['host', 'text'],
  lane: ['lane', 'text'],
  urlKey: ['url_key', 'text'],
  hasCredentials: ['has_credentials', 'boolean'],
  trusted: ['trusted', 'boolean'],
  typedHost: ['typed_host', 'text'],
  createdAt: ['created_at', 'integer'],
  version: ['version', 'integer'],
})

/** Of the source, which is `s` in the statement. */
export const SOURCE_COLUMNS = codec.columns.map((column) => `s.${column}`).join(', ')

/** Every SELECT of sources starts so; `s` is the source, `p` its podcast. */
export const SELECT_SOURCES = `
  SELECT ${SOURCE_COLUMNS}, p.user_id
  FROM sources s JOIN podcasts p ON p.id = s.podcast_id`

export function readSource(row: Row): Source {
  return readFrom(row, { ...codec.read(row), userId: row.user_id as string })
}

export async function lockedSource(tx: Db, id: string): Promise<Source | null> {
  const row = await tx.get(`${SELECT_SOURCES} WHERE s.id = ? ${tx.dialect.forUpdate('s')}`, [id])
  return row ? readSource(row) : null
}

export function sourceColumns(source: Source): { columns: string[]; params: Param[] } {
  const { columns, params } = codec.write(source)
  return {
    columns: [...columns, 'url_hash', 'search', 'sort_name'],
    params: [...params, urlHash(source.urlKey), searchText(source), sortName(source)],
  }
}

/** Writes what `set` names and returns the source as it is then. */
export async function updateSource(tx: Db, current: Source, set: SourceChange): Promise<Source> {
  const { columns, params } = codec.write(set)
  const next: Source = { ...current, ...defined(set) }
  if (set.urlKey !== undefined) {
    columns.push('url_hash')
    params.push(urlHash(set.urlKey))
  }
  if (next.url !== current.url || nameOf(next) !== nameOf(current) || next.title !== current.title) {
    columns.push('search', 'sort_name')
    params.push(searchText(next), sortName(next))
  }
  if (columns.length === 0) return current
  const assignments = columns.map((column) => `${column} = ?`).join(', ')
  await tx.run(`UPDATE sources SET ${assignments} WHERE id = ?${andOnlyIf(tx)}`, [...params, current.id])
  return next
}

export function urlHash(urlKey: string): string {
  return createHash('sha256').update(urlKey).digest('hex')
}

type Named = Pick<Source, 'url' | 'label' | 'title'>

function searchText({ url, label, title }: Named): string {
  return replaceNul(`${url}\n${label ?? ''}\n${title ?? ''}`.toLowerCase())
}

const SORTED_CHARACTERS = 200

/** Both engines order it by its bytes. A longer index entry would not be allowed everywhere. */
export function sortName(source: Named): string {
  const name = (nameOf(source) ?? source.url).toLowerCase().slice(0, SORTED_CHARACTERS)
  return replaceNul(name.toWellFormed())
}

function defined(set: SourceChange): Partial<Source> {
  return Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined))
}
