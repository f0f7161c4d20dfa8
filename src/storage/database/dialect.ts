// Every difference between the two engines that a verb has to know, with its reason. What is not here is the same
// SQL on both: ON CONFLICT, RETURNING, partial and expression indexes, row values, recursive queries.

export type Param = string | number | null | readonly string[] | readonly number[]

export interface Dialect {
  readonly engine: 'sqlite' | 'postgres'
  /** PostgreSQL numbers its placeholders. No statement of ours has a question mark in a literal. */
  statement(sql: string): string
  /** PostgreSQL has several writers: what is read in order to be written is locked. SQLite has one writer at a time. */
  forUpdate(table: string): string
  /** As above, for a row whose children may come and go meanwhile: FOR UPDATE would make their foreign keys wait. */
  forUpdateKeepingKeys(table: string): string
  /** As forUpdate, leaving alone what another process is writing just now. */
  forUpdateOfFree(table: string): string
  /** Both of these. */
  forUpdateOfFreeKeepingKeys(table: string): string
  /** `column` is one of a list bound as a single value, so that the statement's text does not depend on its length. */
  oneOf(column: string): string
  list(values: readonly string[] | readonly number[]): Param
  /** `column` holds the bound text. LIKE would give meaning to % and _, and fold case differently. */
  contains(column: string): string
  /** A row of values costs a round trip on PostgreSQL and 3 µs on SQLite, where a long statement holds the event loop. */
  readonly rowsPerStatement: number
  /** PostgreSQL cannot tell the type of a bare placeholder inside an expression. */
  readonly bigint: string
  isUniqueViolation(error: unknown): boolean
  isForeignKeyViolation(error: unknown): boolean
  /** The words of posts are in a table beside them, `posts_text`: FTS5 on SQLite, text search vectors on PostgreSQL. */
  readonly search: {
    /** Of the post's id and its words. */
    readonly columns: readonly string[]
    document(words: readonly string[]): string
    /** Run after each part that was indexed: merging by itself inside an insert FTS5 can take a tenth of a second. */
    readonly merge: string | null
    readonly from: string
    /** The post's id as the words' index knows it: a range of it must be seen there, not after the join. */
    readonly id: string
    readonly condition: string
    query(words: readonly string[]): string
    /** Ids looked at in one statement: on SQLite a common word must not hold the event loop. */
    readonly idsAtOnce: number
  }
}

export const sqliteDialect: Dialect = {
  engine: 'sqlite',
  statement: (sql) => sql,
  forUpdate: () => '',
  forUpdateKeepingKeys: () => '',
  forUpdateOfFree: () => '',
  forUpdateOfFreeKeepingKeys: () => '',
  oneOf: (column) => `${column} IN (SELECT value FROM json_each(?))`,
  list: (values) => JSON.stringify(values),
  contains: (column) => `instr(${column}, ?) > 0`,
  rowsPerStatement: 1,
  bigint: '?',
  // SQLITE_CONSTRAINT_UNIQUE, SQLITE_CONSTRAINT_PRIMARYKEY
  isUniqueViolation: (error) => [2067, 1555].includes(Number((error as { errcode?: number }).errcode)),
  // SQLITE_CONSTRAINT_FOREIGNKEY
  isForeignKeyViolation: (error) => (error as { errcode?: number }).errcode === 787,
  search: {
    columns: ['rowid', 'words'],
    document: (words) => words.join(' '),
    merge: `INSERT INTO posts_text (posts_text, rank) VALUES ('merge', 64)`,
    // CROSS JOIN keeps SQLite to this order: from the words to the posts.
    from: 'posts_text CROSS JOIN posts p ON p.id = posts_text.rowid',
    id: 'posts_text.rowid',
    condition: 'posts_text MATCH ?',
    query: (words) => words.map((word) => `"${word}"`).join(' AND '),
    idsAtOnce: 50_000,
  },
}

const numbered = new Map<string, string>()

export const postgresDialect: Dialect = {
  engine: 'postgres',
  statement(sql) {
    const known = numbered.get(sql)
    if (known !== undefined) return known
    let n = 0
    const text = sql.replace(/\?/g, () => `$${++n}`)
    // Statements are few, but those with rows of values come in many lengths.
    if (numbered.size > 1000) numbered.clear()
    numbered.set(sql, text)
    return text
  },
  forUpdate: (table) => `FOR UPDATE OF ${table}`,
  forUpdateKeepingKeys: (table) => `FOR NO KEY UPDATE OF ${table}`,
  forUpdateOfFree: (table) => `FOR UPDATE OF ${table} SKIP LOCKED`,
  forUpdateOfFreeKeepingKeys: (table) => `FOR NO KEY UPDATE OF ${table} SKIP LOCKED`,
  oneOf: (column) => `${column} = ANY(?)`,
  list: (values) => values,
  contains: (column) => `strpos(${column}, ?) > 0`,
  rowsPerStatement: 100,
  bigint: 'CAST(? AS BIGINT)',
  isUniqueViolation: (error) => (error as { code?: string }).code === '23505',
  isForeignKeyViolation: (error) => (error as { code?: string }).code === '23503',
  search: {
    columns: ['post_id', 'words'],
    document: (words) => words.map((word) => `'${word}'`).join(' '),
    merge: null,
    from: 'posts_text t JOIN posts p ON p.id = t.post_id',
    id: 't.post_id',
    condition: 't.words @@ CAST(? AS tsquery)',
    query: (words) => words.map((word) => `'${word}'`).join(' & '),
    idsAtOnce: Number.MAX_SAFE_INTEGER,
  },
}
