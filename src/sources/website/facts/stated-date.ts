/**
 * Chooses the publication date that the page states, as epoch ms. The first readable value wins, most reliable first:
 * article:published_time, JSON-LD, itemprop=datePublished, other meta tags, `<time datetime>`.
 * A date without a zone is read as UTC, never in the local zone.
 */
import { readDate } from '../../feed/dates/read-date.ts'
import type { JsonLdArticle } from './json-ld.ts'
import type { PageFacts } from './page-facts.ts'

const META = ['article:published_time', 'og:article:published_time', 'og:published_time']
const OTHER_META = [
  'parsely-pub-date',
  'sailthru.date',
  'datepublished',
  'date',
  'dc.date',
  'dc.date.issued',
  'dcterms.created',
  'dcterms.date',
  'pubdate',
  'publishdate',
  'publication_date',
  'citation_publication_date',
  'citation_date',
]
const ISO =
  /^\s*(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T\s]\s*(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|UTC|GMT|[+-]\d{2}:?(?:\d{2})?)?)?\s*$/i

export function statedDate(facts: PageFacts, article: JsonLdArticle | null): number | null {
  const fromMeta = (names: string[]) => names.map((name) => facts.meta.get(name))
  const statements = [
    ...fromMeta(META),
    article?.publishedAt,
    ...facts.markedDates,
    ...fromMeta(OTHER_META),
    ...facts.times,
  ]
  for (const statement of statements) {
    const instant = parseStatedDate(statement)
    if (instant !== null) return instant
  }
  return null
}

export function parseStatedDate(statement: string | null | undefined): number | null {
  const match = ISO.exec(statement ?? '')
  if (!match) return statement ? parseDateInWords(statement) : null
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '0', zone] = match.map((part) => part)
  const instant = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
    Math.floor(Number(`0.${fraction}`) * 1000),
  )
  const real = new Date(instant)
  if (
    real.getUTCMonth() !== Number(month) - 1 ||
    real.getUTCDate() !== Number(day) ||
    Number(hour) > 23 ||
    Number(minute) > 59
  )
    return null
  return plausible(instant - zoneMs(zone))
}

/** Reads dates with a month in words and a full year. Dates with numbers only are ambiguous. */
function parseDateInWords(statement: string): number | null {
  const isInWords = statement.length <= MAX_WRITTEN_CHARS && /\p{L}{3}|[年月日년월일]/u.test(statement)
  if (!isInWords || !/(?<!\d)\d{4}(?!\d)/.test(statement)) return null
  const instant = readDate(statement)
  return instant === null ? null : plausible(instant)
}
const MAX_WRITTEN_CHARS = 100

function zoneMs(zone: string | undefined): number {
  const match = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone ?? '')
  if (!match) return 0
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0)
  return (match[1] === '-' ? -minutes : minutes) * 60_000
}

const EARLIEST = Date.UTC(1970, 0, 2)
const LATEST = Date.UTC(2200, 0, 1)
const plausible = (instant: number): number | null => (instant >= EARLIEST && instant < LATEST ? instant : null)
