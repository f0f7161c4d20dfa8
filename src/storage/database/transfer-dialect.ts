// What moving a store needs to know of the two engines.
import { newestPoll } from './id-dialect.ts'

export interface TransferDialect {
  /** Lets an INSERT set ids that PostgreSQL would generate. */
  readonly keepIds: string
  /** Counts the other processes that use the database. On SQLite a lock beside the file does this. */
  readonly countOthers: string | null
  /** Names all columns, as `table_name` and `column_name`. */
  readonly columns: string
  /** Primary keys and foreign keys. Null on PostgreSQL: one side of a copy is SQLite, and describes both. */
  readonly keys: { readonly primary: string; readonly foreign: string } | null
  /** Removes all rows of the tables, which are in the order of their foreign keys, and the search index. */
  empty(tables: readonly string[]): string
  /** The newest ids that were given out, as `name` and `value`. SQLite keeps them in counters, PostgreSQL in sequences. */
  readonly newestIds: string
  /** Values: the name and the newest id. */
  readonly setNewestId: string
  /** Runs once all rows are there. */
  readonly afterCopy: string | null
}

export const sqliteTransfer: TransferDialect = {
  keepIds: '',
  countOthers: null,
  columns: `SELECT m.name AS table_name, c.name AS column_name
    FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'`,
  keys: {
    primary: `SELECT m.name AS table_name, c.name AS column_name FROM sqlite_master m JOIN pragma_table_info(m.name) c
      WHERE m.type = 'table' AND c.pk > 0 ORDER BY m.name, c.pk`,
    foreign: `SELECT m.name AS child, f."table" AS parent FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f
      WHERE m.type = 'table'`,
  },
  empty: (tables) =>
    [`INSERT INTO posts_text (posts_text) VALUES ('delete-all')`, ...tables.toReversed().map((t) => `DELETE FROM ${t}`)]
      .map((statement) => `${statement};`)
      .join('\n'),
  newestIds: `SELECT name, value FROM counters WHERE name IN ('posts', 'articles', 'events')
    UNION ALL SELECT 'polls', ${newestPoll('(SELECT max(id) FROM polls)')} ORDER BY name`,
  setNewestId: 'INSERT INTO counters (name, value) VALUES (?, ?)',
  afterCopy: null,
}

export const postgresTransfer: TransferDialect = {
  keepIds: 'OVERRIDING SYSTEM VALUE',
  countOthers: `SELECT count(*) AS n FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE 'tidings%' AND pid <> pg_backend_pid()`,
  columns: `SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = current_schema()`,
  keys: null,
  empty: (tables) =>
    `TRUNCATE ${['posts_text', 'source_texts', 'podcast_counts', 'podcast_lanes', ...tables].join(', ')} CASCADE`,
  newestIds: `SELECT name, newest_id(name) AS value FROM unnest(ARRAY['articles', 'events', 'posts']) AS name
    UNION ALL SELECT 'polls', COALESCE(pg_sequence_last_value(pg_get_serial_sequence('polls', 'id')::regclass), 0)
    ORDER BY name`,
  // Ids of poll records are generated, and such a sequence has no 0.
  setNewestId: `SELECT CASE WHEN name <> 'polls' THEN setval(CAST(name || '_ids' AS regclass), value)
      ELSE setval(pg_get_serial_sequence('polls', 'id')::regclass, GREATEST(value, 1), value > 0) END
    FROM (SELECT CAST(? AS TEXT) AS name, CAST(? AS BIGINT) AS value) AS newest`,
  // Generated ids go on after the copied ones. Without statistics the first queries would read whole tables.
  afterCopy: `SET LOCAL statement_timeout = 0;
    DO $$
    DECLARE generated record;
    BEGIN
      FOR generated IN
        SELECT table_name AS t, column_name AS c FROM information_schema.columns
        WHERE table_schema = current_schema() AND is_identity = 'YES'
      LOOP
        EXECUTE format(
          'SELECT setval(pg_get_serial_sequence(%L, %L), (SELECT COALESCE(max(%I), 0) + 1 FROM %I), false)',
          quote_ident(generated.t), generated.c, generated.c, generated.t
        );
      END LOOP;
    END $$;
    ANALYZE`,
}
