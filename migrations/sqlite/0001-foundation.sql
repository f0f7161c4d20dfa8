-- Instants are epoch milliseconds, booleans are 0 or 1, JSON is text. Children of a source name it without a
-- foreign key: a removed source is gone at once, its posts, articles and polls go in slices (see purges).

CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

-- Ids that go up in commit order are taken from here, late in the transaction that uses them.
CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
INSERT INTO counters (name, value) VALUES ('posts', 0), ('articles', 0), ('events', 0);

CREATE TABLE users (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX users_in_order ON users (created_at, id);

CREATE TABLE tokens (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  admin INTEGER NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  last_used_at INTEGER
) STRICT;
CREATE INDEX tokens_of_user ON tokens (user_id, created_at, id);

CREATE TABLE secrets (
  scope TEXT NOT NULL,
  owner_id TEXT NOT NULL,
  name TEXT NOT NULL,
  key_id TEXT NOT NULL,
  sealed TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (scope, owner_id, name)
) STRICT;

CREATE TABLE podcasts (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id),
  name TEXT NOT NULL,
  topic TEXT,
  max_article_age_days REAL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX podcasts_in_order ON podcasts (created_at, id);
CREATE INDEX podcasts_of_user ON podcasts (user_id, created_at, id);

CREATE TABLE sources (
  id TEXT PRIMARY KEY,
  podcast_id TEXT NOT NULL REFERENCES podcasts (id),
  type TEXT NOT NULL,
  url TEXT NOT NULL,
  label TEXT,
  poll_interval_minutes INTEGER NOT NULL,
  enabled INTEGER NOT NULL,
  aggregate INTEGER,
  category_filter TEXT,
  max_failures INTEGER,
  max_backoff_hours INTEGER,
  poll_delay_seconds REAL,
  honour_freshness INTEGER NOT NULL,
  backfill_days INTEGER NOT NULL,
  feed_url TEXT,
  last_polled INTEGER,
  last_succeeded_at INTEGER,
  last_seen_id TEXT,
  next_poll_at INTEGER,
  consecutive_failures INTEGER NOT NULL,
  permanent_run TEXT NOT NULL,
  last_failure_type TEXT,
  last_failure_reason TEXT,
  disabled_reason TEXT,
  validators TEXT NOT NULL,
  body_hash TEXT,
  feed_freshness TEXT,
  fresh_until INTEGER,
  retry_at INTEGER,
  redirect TEXT,
  host TEXT,
  lane TEXT NOT NULL,
  url_key TEXT NOT NULL,
  url_hash TEXT NOT NULL, -- sha256 of url_key: a URL may be longer than an index entry
  search TEXT NOT NULL,   -- url and label in lower case: lower() here knows ASCII only
  has_credentials INTEGER NOT NULL,
  trusted INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  version INTEGER NOT NULL,
  UNIQUE (podcast_id, url_hash)
) STRICT;
CREATE INDEX sources_due ON sources (next_poll_at, id, lane) WHERE enabled = 1 AND next_poll_at IS NOT NULL;
CREATE INDEX sources_due_of_lane ON sources (lane, next_poll_at, id) WHERE enabled = 1 AND next_poll_at IS NOT NULL;
CREATE INDEX sources_unplanned ON sources (id) WHERE enabled = 1 AND next_poll_at IS NULL AND last_polled IS NULL;
CREATE INDEX sources_in_order ON sources (created_at, id);
CREATE INDEX sources_of_podcast ON sources (podcast_id, created_at, id);
CREATE INDEX sources_of_lane ON sources (lane, id);
CREATE INDEX sources_failing ON sources (podcast_id) WHERE enabled = 1 AND consecutive_failures > 0;
CREATE INDEX sources_disabled ON sources (podcast_id) WHERE enabled = 0;

CREATE TABLE posts (
  id INTEGER PRIMARY KEY,
  podcast_id TEXT NOT NULL,
  source_id TEXT NOT NULL,
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  url TEXT NOT NULL,
  published_at INTEGER,
  author TEXT,
  guid TEXT,
  categories TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  links INTEGER NOT NULL DEFAULT 0, -- rows in post_articles, kept by triggers
  UNIQUE (source_id, content_hash)
) STRICT;
CREATE INDEX posts_by_guid ON posts (source_id, substr(guid, 1, 200)) WHERE guid IS NOT NULL;
CREATE INDEX posts_by_url ON posts (source_id, substr(url, 1, 200));
CREATE INDEX posts_of_source ON posts (source_id, created_at, id);
CREATE INDEX posts_of_podcast ON posts (podcast_id, created_at, id);
CREATE INDEX posts_in_commit_order ON posts (podcast_id, id);
CREATE INDEX posts_unlinked ON posts (podcast_id, created_at, id) WHERE links = 0;

CREATE TABLE articles (
  id INTEGER PRIMARY KEY,
  podcast_id TEXT NOT NULL,
  source_id TEXT NOT NULL,
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  url TEXT NOT NULL,
  published_at INTEGER,
  author TEXT,
  content_hash TEXT NOT NULL,
  is_processed INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX articles_of_podcast ON articles (podcast_id, id);
CREATE INDEX articles_by_state ON articles (podcast_id, is_processed, id);
CREATE INDEX articles_of_source ON articles (source_id);
CREATE INDEX articles_by_hash ON articles (podcast_id, content_hash);
CREATE INDEX articles_by_age ON articles (podcast_id, COALESCE(published_at, created_at)) WHERE is_processed = 0;

CREATE TABLE post_articles (
  post_id INTEGER NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  article_id INTEGER NOT NULL REFERENCES articles (id) ON DELETE CASCADE,
  PRIMARY KEY (post_id, article_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX post_articles_of_article ON post_articles (article_id, post_id);

CREATE TRIGGER post_linked AFTER INSERT ON post_articles BEGIN
  UPDATE posts SET links = links + 1 WHERE id = new.post_id;
END;
CREATE TRIGGER post_unlinked AFTER DELETE ON post_articles BEGIN
  UPDATE posts SET links = links - 1 WHERE id = old.post_id;
END;

CREATE TABLE tombstones (
  source_id TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  guid TEXT,
  url TEXT NOT NULL,
  published_at INTEGER,
  missing_since INTEGER,
  PRIMARY KEY (source_id, content_hash)
) STRICT;
CREATE INDEX tombstones_by_guid ON tombstones (source_id, substr(guid, 1, 200)) WHERE guid IS NOT NULL;
CREATE INDEX tombstones_by_url ON tombstones (source_id, substr(url, 1, 200));

CREATE TABLE hosts (
  lane TEXT PRIMARY KEY,
  not_before INTEGER,
  last_request_at INTEGER,
  closed_until INTEGER,
  closed_reason TEXT,
  bare_throttles INTEGER NOT NULL DEFAULT 0,
  last_succeeded_at INTEGER,
  breaker_state TEXT NOT NULL DEFAULT 'closed',
  breaker_in_a_row INTEGER NOT NULL DEFAULT 0,
  breaker_failures TEXT NOT NULL DEFAULT '[]',
  breaker_since INTEGER,
  breaker_probe_at INTEGER,
  breaker_wait_ms INTEGER NOT NULL DEFAULT 0,
  breaker_probing_since INTEGER,
  breaker_probed_by TEXT
) STRICT;
CREATE INDEX hosts_to_probe ON hosts (breaker_probe_at) WHERE breaker_state <> 'closed';

CREATE TABLE polls (
  id INTEGER PRIMARY KEY,
  source_id TEXT NOT NULL,
  seq INTEGER NOT NULL,              -- 1, 2, 3 ... within the source
  started_at INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  cause TEXT NOT NULL,               -- "trigger" is a reserved word
  outcome TEXT NOT NULL,
  http_status INTEGER,
  not_modified INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  found INTEGER NOT NULL,
  created INTEGER NOT NULL,
  skipped TEXT NOT NULL,
  reason TEXT,
  beyond INTEGER NOT NULL DEFAULT 0, -- 1 once the source has a hundred newer ones
  UNIQUE (source_id, seq)
) STRICT;
CREATE INDEX polls_plain_beyond ON polls (id) WHERE beyond = 1 AND outcome = 'success' AND created = 0;
CREATE INDEX polls_notable_beyond ON polls (started_at) WHERE beyond = 1 AND (outcome <> 'success' OR created > 0);

-- What is left of poll records beyond their time: totals of a source and a UTC day (days since 1970).
CREATE TABLE poll_days (
  source_id TEXT NOT NULL,
  day INTEGER NOT NULL,
  polls INTEGER NOT NULL,
  transient INTEGER NOT NULL,
  permanent INTEGER NOT NULL,
  created INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY (source_id, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX poll_days_by_day ON poll_days (day);

CREATE TABLE events (
  id INTEGER PRIMARY KEY,
  type TEXT NOT NULL,
  at INTEGER NOT NULL,
  user_id TEXT,
  podcast_id TEXT,
  source_id TEXT,
  host TEXT,
  data TEXT NOT NULL
) STRICT;

-- Sources that are gone while some of their rows are still to be deleted.
CREATE TABLE purges (source_id TEXT PRIMARY KEY) STRICT;

-- Full-text index over title and the beginning of the body; the text itself stays in posts. Indexing costs several
-- times what storing a post costs, so it is done behind the polls, up to this counter, once somebody has searched.
INSERT INTO counters (name, value) VALUES ('searchable', 0);
CREATE VIRTUAL TABLE posts_text USING fts5 (
  text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 0'
);
-- Merging inside an insert can take a tenth of a second: it is done in small, separate steps instead.
INSERT INTO posts_text (posts_text, rank) VALUES ('automerge', 0), ('crisismerge', 1000);
CREATE TRIGGER post_text_removed AFTER DELETE ON posts
WHEN old.id <= (SELECT value FROM counters WHERE name = 'searchable') BEGIN
  DELETE FROM posts_text WHERE rowid = old.id;
END;
