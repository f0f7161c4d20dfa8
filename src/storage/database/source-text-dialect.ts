// Parts of the addresses, labels and titles of sources on the two engines. Both have an index of every three neighbouring
// characters: SQLite an FTS5 table, PostgreSQL a GIN index. Each character of a text is the first of three, because two
// line breaks follow the last one. So a shorter part is found by those that begin with it.
// An index may return a source too many, never one too few: the caller compares the texts.
// See docs/decisions/0170-counts-and-names-of-a-million-sources.md and 0202-short-parts-of-source-names.md

export interface SourceTextDialect {
  /** How to find sources that may have the part in their text, up to `most`; null: see `shortParts`. */
  find(part: string, most: number): SourceTextQuery | null
  /** Where the engine does not find what begins with a part by itself. */
  readonly shortParts: ShortPartDialect | null
  /** Statements that add the texts of sources which have none yet; each goes on with what the one before added. */
  readonly add: readonly string[]
  readonly addedAtOnce: number
  /** Joins what was added since the last time; null where the engine does it. */
  readonly merge: string | null
}

export interface SourceTextQuery extends Statement {
  /** Tells as `is_common` that very many sources have it, in less time than it takes to find them. */
  readonly commonness: Statement | null
}

/** The statement that finds sources returns `id`. */
interface Statement {
  readonly sql: string
  readonly params: readonly (string | number)[]
}

export interface ShortPartDialect {
  /** Names what the index has from a text on, as `term`. Takes three values: that text, one after them, and a limit. */
  readonly terms: string
  /** How to find sources that have one of them. */
  findAny(terms: readonly string[], most: number): SourceTextQuery
}

const TRIGRAM_CHARACTERS = 3
/** More would find fewer sources, but each common one takes time. */
const MOST_TRIGRAMS = 8

export const sqliteSourceTexts: SourceTextDialect = {
  find(part, most) {
    const some = rarest(trigramsOf(part), MOST_TRIGRAMS)
    return some.length === 0 ? null : { ...matching(some, 'AND', most), commonness: null }
  },
  shortParts: {
    // From each term to the next one. A range would read all sources of each term.
    terms: `WITH RECURSIVE terms (term) AS (
        SELECT (SELECT term FROM source_texts_terms WHERE term >= ?1 AND term < ?2 LIMIT 1)
        UNION ALL SELECT (SELECT term FROM source_texts_terms WHERE term >= terms.term || char(1) AND term < ?2 LIMIT 1)
        FROM terms WHERE terms.term IS NOT NULL)
      SELECT term FROM terms WHERE term IS NOT NULL LIMIT ?3`,
    findAny: (terms, most) => matching(terms, 'OR', most),
  },
  add: [
    `INSERT INTO source_numbers (source_id) SELECT value FROM json_each(?) WHERE 1 = 1 ON CONFLICT (source_id) DO NOTHING`,
    addText('n.number', 's.search'),
    // The end of a text is a row of its own.
    addText('-n.number', 'substr(s.search, -2) || char(10, 10)'),
  ],
  addedAtOnce: 100,
  merge: `INSERT INTO source_texts (source_texts, rank) VALUES ('merge', 64)`,
}

function addText(number: string, text: string): string {
  return `INSERT INTO source_texts (rowid, text) SELECT ${number}, ${text}
    FROM json_each(?) JOIN source_numbers n ON n.source_id = value JOIN sources s ON s.id = value
    WHERE ${number} NOT IN (SELECT id FROM source_texts_docsize)`
}

function matching(trigrams: readonly string[], operator: 'AND' | 'OR', most: number): SourceTextQuery {
  const match = trigrams.map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(` ${operator} `)
  return {
    sql: `SELECT n.source_id AS id FROM source_texts CROSS JOIN source_numbers n ON n.number = abs(source_texts.rowid)
      WHERE source_texts MATCH ? LIMIT ?`,
    params: [match, most],
    commonness: {
      sql: `SELECT count(*) = ?2 AS is_common
        FROM (SELECT rowid FROM source_texts WHERE source_texts MATCH ?1 LIMIT ?2)`,
      params: [match, most],
    },
  }
}

/** A part that is often in the first texts is common. The index finds all sources that have it before it returns one. */
const FIRST_TEXTS = 5000
const OFTEN = 50

export const postgresSourceTexts: SourceTextDialect = {
  find(part, most) {
    const some = rarest(trigramsOf(part), MOST_TRIGRAMS)
    return {
      sql: `SELECT source_id AS id FROM source_texts WHERE trigrams_of(text) @@ CAST(? AS tsquery) LIMIT ?`,
      params: [some.length > 0 ? some.map(lexeme).join(' & ') : `${lexeme(part)}:*`, most],
      commonness: {
        sql: `SELECT count(*) > ${OFTEN} AS is_common
          FROM (SELECT text FROM source_texts LIMIT ${FIRST_TEXTS}) AS first_ones WHERE strpos(text, ?) > 0`,
        params: [part],
      },
    }
  },
  shortParts: null,
  add: [
    `INSERT INTO source_texts (source_id, text) SELECT id, search FROM sources WHERE id = ANY(?)
     ON CONFLICT (source_id) DO NOTHING`,
  ],
  addedAtOnce: 200,
  merge: null,
}

function lexeme(text: string): string {
  return `'${text.replace(/['\\]/g, '$&$&')}'`
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
