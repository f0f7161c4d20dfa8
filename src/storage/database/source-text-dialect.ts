// Parts of the addresses, labels and titles of sources on the two engines. SQLite has an FTS5 table of every three
// neighbouring characters, PostgreSQL an index of its extension pg_trgm. Both may return a source too many, never one too
// few: the caller compares the texts.
// See docs/decisions/0170-counts-and-names-of-a-million-sources.md

export interface SourceTextDialect {
  /** How to find sources that may have the part in their text; null: it is too short for the index. */
  find(part: string): SourceTextQuery | null
  /** Statements that add the texts of sources which have none yet; each goes on with what the one before added. */
  readonly add: readonly string[]
  readonly addedAtOnce: number
  /** Joins what was added since the last time; null where the engine does it. */
  readonly merge: string | null
}

export interface SourceTextQuery {
  /** Returns `id`. Takes two values: `value`, and the limit. */
  readonly sql: string
  readonly value: string
}

const TRIGRAM_CHARACTERS = 3
/** More would find fewer sources, but each common one takes time. */
const MOST_TRIGRAMS = 8

export const sqliteSourceTexts: SourceTextDialect = {
  find(part) {
    const some = rarest(trigramsOf(part), MOST_TRIGRAMS)
    if (some.length === 0) return null
    return {
      sql: `SELECT n.source_id AS id FROM source_texts CROSS JOIN source_numbers n ON n.number = source_texts.rowid
        WHERE source_texts MATCH ? LIMIT ?`,
      value: some.map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND '),
    }
  },
  add: [
    `INSERT INTO source_numbers (source_id) SELECT value FROM json_each(?) WHERE 1 = 1 ON CONFLICT (source_id) DO NOTHING`,
    `INSERT INTO source_texts (rowid, text) SELECT n.number, s.search
     FROM json_each(?) JOIN source_numbers n ON n.source_id = value JOIN sources s ON s.id = value`,
  ],
  // So that the second statement sees whether this source was new.
  addedAtOnce: 1,
  merge: `INSERT INTO source_texts (source_texts, rank) VALUES ('merge', 64)`,
}

/** The extension knows letters and digits only. */
const HAS_TRIGRAM = /[\p{L}\p{N}]{3}/u
/**
 * Reads the whole table, which is a tenth of `sources`. The inner LIMIT keeps PostgreSQL from starting helpers: with a
 * common part it is over before they work.
 */
const ALL_TEXTS = `(SELECT source_id, text FROM source_texts LIMIT ${Number.MAX_SAFE_INTEGER}) AS all_texts`

export const postgresSourceTexts: SourceTextDialect = {
  find: (part) => ({
    sql: `SELECT source_id AS id FROM ${HAS_TRIGRAM.test(part) ? 'source_texts' : ALL_TEXTS} WHERE text LIKE ? LIMIT ?`,
    value: `%${part.replace(/[\\%_]/g, '\\$&')}%`,
  }),
  add: [
    `INSERT INTO source_texts (source_id, text) SELECT id, search FROM sources WHERE id = ANY(?)
     ON CONFLICT (source_id) DO NOTHING`,
  ],
  addedAtOnce: 200,
  merge: null,
}

function trigramsOf(text: string): string[] {
  const characters = [...text]
  const found = characters.map((_, index) => characters.slice(index, index + TRIGRAM_CHARACTERS).join(''))
  return [...new Set(found.slice(0, 1 - TRIGRAM_CHARACTERS))]
}

/** Those with digits are rarest among addresses and names; the others are taken from the whole length of the text. */
function rarest(trigrams: readonly string[], most: number): string[] {
  const withDigits = trigrams.filter((trigram) => /\d/.test(trigram)).slice(0, most)
  const others = trigrams.filter((trigram) => !/\d/.test(trigram))
  const wanted = Math.min(others.length, most - withDigits.length)
  const spread = Array.from({ length: wanted }, (_, n) => others[Math.floor((n * others.length) / wanted)] ?? '')
  return [...withDigits, ...spread]
}
