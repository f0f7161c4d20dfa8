-- Keys compare byte by byte (COLLATE "C"), as on the other engine, whatever the database was made with.
-- Instants are epoch milliseconds, booleans are 0 or 1, JSON is text. Children of a source name it without a
-- foreign key: a removed source is gone at once, its posts, articles and polls go in slices (see purges).

CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);

-- Ids that go up in commit order are taken from here, late in the transaction that uses them.
CREATE TABLE counters (name TEXT PRIMARY KEY, value BIGINT NOT NULL);
INSERT INTO counters (name, value) VALUES ('posts', 0), ('articles', 0), ('events', 0);

CREATE TABLE users (
  id TEXT COLLATE "C" PRIMARY KEY,
  name TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX users_in_order ON users (created_at, id);

CREATE TABLE tokens (
  id TEXT COLLATE "C" PRIMARY KEY,
  user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  admin SMALLINT NOT NULL,
  token_hash TEXT COLLATE "C" NOT NULL UNIQUE,
  created_at BIGINT NOT NULL,
  expires_at BIGINT,
  last_used_at BIGINT
);
CREATE INDEX tokens_of_user ON tokens (user_id, created_at, id);

CREATE TABLE secrets (
  scope TEXT NOT NULL,
  owner_id TEXT COLLATE "C" NOT NULL,
  name TEXT NOT NULL,
  key_id TEXT NOT NULL,
  sealed TEXT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (scope, owner_id, name)
);

CREATE TABLE podcasts (
  id TEXT COLLATE "C" PRIMARY KEY,
  user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id),
  name TEXT NOT NULL,
  topic TEXT,
  max_article_age_days DOUBLE PRECISION,
  created_at BIGINT NOT NULL
);
CREATE INDEX podcasts_in_order ON podcasts (created_at, id);
CREATE INDEX podcasts_of_user ON podcasts (user_id, created_at, id);

CREATE TABLE sources (
  id TEXT COLLATE "C" PRIMARY KEY,
  podcast_id TEXT COLLATE "C" NOT NULL REFERENCES podcasts (id),
  type TEXT NOT NULL,
  url TEXT NOT NULL,
  label TEXT,
  poll_interval_minutes BIGINT NOT NULL,
  enabled SMALLINT NOT NULL,
  aggregate SMALLINT,
  category_filter TEXT,
  max_failures BIGINT,
  max_backoff_hours BIGINT,
  poll_delay_seconds DOUBLE PRECISION,
  honour_freshness SMALLINT NOT NULL,
  backfill_days BIGINT NOT NULL,
  feed_url TEXT,
  last_polled BIGINT,
  last_succeeded_at BIGINT,
  last_seen_id TEXT,
  next_poll_at BIGINT,
  consecutive_failures BIGINT NOT NULL,
  permanent_run TEXT NOT NULL,
  last_failure_type TEXT,
  last_failure_reason TEXT,
  disabled_reason TEXT,
  validators TEXT NOT NULL,
  body_hash TEXT,
  feed_freshness TEXT,
  fresh_until BIGINT,
  retry_at BIGINT,
  redirect TEXT,
  host TEXT,
  lane TEXT COLLATE "C" NOT NULL,
  url_key TEXT NOT NULL,
  url_hash TEXT COLLATE "C" NOT NULL, -- sha256 of url_key: a URL may be longer than an index entry
  search TEXT NOT NULL,   -- url and label in lower case, as the other engine needs it
  has_credentials SMALLINT NOT NULL,
  trusted SMALLINT NOT NULL,
  created_at BIGINT NOT NULL,
  version BIGINT NOT NULL,
  UNIQUE (podcast_id, url_hash)
);
CREATE INDEX sources_due ON sources (next_poll_at, id, lane) WHERE enabled = 1 AND next_poll_at IS NOT NULL;
CREATE INDEX sources_due_of_lane ON sources (lane, next_poll_at, id) WHERE enabled = 1 AND next_poll_at IS NOT NULL;
CREATE INDEX sources_unplanned ON sources (id) WHERE enabled = 1 AND next_poll_at IS NULL AND last_polled IS NULL;
CREATE INDEX sources_in_order ON sources (created_at, id);
CREATE INDEX sources_of_podcast ON sources (podcast_id, created_at, id);
CREATE INDEX sources_of_lane ON sources (lane, id);
CREATE INDEX sources_failing ON sources (podcast_id) WHERE enabled = 1 AND consecutive_failures > 0;
CREATE INDEX sources_disabled ON sources (podcast_id) WHERE enabled = 0;

CREATE TABLE posts (
  id BIGINT PRIMARY KEY,
  podcast_id TEXT COLLATE "C" NOT NULL,
  source_id TEXT COLLATE "C" NOT NULL,
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  url TEXT NOT NULL,
  published_at BIGINT,
  author TEXT,
  guid TEXT,
  categories TEXT NOT NULL,
  content_hash TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  links BIGINT NOT NULL DEFAULT 0, -- rows in post_articles, kept by triggers
  UNIQUE (source_id, content_hash)
);
CREATE INDEX posts_by_guid ON posts (source_id, substr(guid, 1, 200)) WHERE guid IS NOT NULL;
CREATE INDEX posts_by_url ON posts (source_id, substr(url, 1, 200));
CREATE INDEX posts_of_source ON posts (source_id, created_at, id);
CREATE INDEX posts_of_podcast ON posts (podcast_id, created_at, id);
CREATE INDEX posts_in_commit_order ON posts (podcast_id, id);
CREATE INDEX posts_unlinked ON posts (podcast_id, created_at, id) WHERE links = 0;

CREATE TABLE articles (
  id BIGINT PRIMARY KEY,
  podcast_id TEXT COLLATE "C" NOT NULL,
  source_id TEXT COLLATE "C" NOT NULL,
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  url TEXT NOT NULL,
  published_at BIGINT,
  author TEXT,
  content_hash TEXT COLLATE "C" NOT NULL,
  is_processed SMALLINT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX articles_of_podcast ON articles (podcast_id, id);
CREATE INDEX articles_by_state ON articles (podcast_id, is_processed, id);
CREATE INDEX articles_of_source ON articles (source_id);
CREATE INDEX articles_by_hash ON articles (podcast_id, content_hash);
CREATE INDEX articles_by_age ON articles (podcast_id, (COALESCE(published_at, created_at))) WHERE is_processed = 0;

CREATE TABLE post_articles (
  post_id BIGINT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  article_id BIGINT NOT NULL REFERENCES articles (id) ON DELETE CASCADE,
  PRIMARY KEY (post_id, article_id)
);
CREATE INDEX post_articles_of_article ON post_articles (article_id, post_id);

CREATE FUNCTION count_post_links() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE posts SET links = links + 1 WHERE id = NEW.post_id;
  ELSE
    UPDATE posts SET links = links - 1 WHERE id = OLD.post_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER post_linked AFTER INSERT OR DELETE ON post_articles FOR EACH ROW EXECUTE FUNCTION count_post_links();

CREATE TABLE tombstones (
  source_id TEXT COLLATE "C" NOT NULL,
  content_hash TEXT COLLATE "C" NOT NULL,
  guid TEXT,
  url TEXT NOT NULL,
  published_at BIGINT,
  missing_since BIGINT,
  PRIMARY KEY (source_id, content_hash)
);
CREATE INDEX tombstones_by_guid ON tombstones (source_id, substr(guid, 1, 200)) WHERE guid IS NOT NULL;
CREATE INDEX tombstones_by_url ON tombstones (source_id, substr(url, 1, 200));

CREATE TABLE hosts (
  lane TEXT COLLATE "C" PRIMARY KEY,
  not_before BIGINT,
  last_request_at BIGINT,
  closed_until BIGINT,
  closed_reason TEXT,
  bare_throttles BIGINT NOT NULL DEFAULT 0,
  last_succeeded_at BIGINT,
  breaker_state TEXT NOT NULL DEFAULT 'closed',
  breaker_in_a_row BIGINT NOT NULL DEFAULT 0,
  breaker_failures TEXT NOT NULL DEFAULT '[]',
  breaker_since BIGINT,
  breaker_probe_at BIGINT,
  breaker_wait_ms BIGINT NOT NULL DEFAULT 0,
  breaker_probing_since BIGINT,
  breaker_probed_by TEXT
);
CREATE INDEX hosts_to_probe ON hosts (breaker_probe_at) WHERE breaker_state <> 'closed';

CREATE TABLE polls (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  source_id TEXT COLLATE "C" NOT NULL,
  seq BIGINT NOT NULL,              -- 1, 2, 3 ... within the source
  started_at BIGINT NOT NULL,
  duration_ms BIGINT NOT NULL,
  cause TEXT NOT NULL,               -- "trigger" is a reserved word
  outcome TEXT NOT NULL,
  http_status BIGINT,
  not_modified SMALLINT NOT NULL,
  bytes BIGINT NOT NULL,
  found BIGINT NOT NULL,
  created BIGINT NOT NULL,
  skipped TEXT NOT NULL,
  reason TEXT,
  beyond SMALLINT NOT NULL DEFAULT 0, -- 1 once the source has a hundred newer ones
  UNIQUE (source_id, seq)
);
CREATE INDEX polls_plain_beyond ON polls (id) WHERE beyond = 1 AND outcome = 'success' AND created = 0;
CREATE INDEX polls_notable_beyond ON polls (started_at) WHERE beyond = 1 AND (outcome <> 'success' OR created > 0);

-- What is left of poll records beyond their time: totals of a source and a UTC day (days since 1970).
CREATE TABLE poll_days (
  source_id TEXT COLLATE "C" NOT NULL,
  day BIGINT NOT NULL,
  polls BIGINT NOT NULL,
  transient BIGINT NOT NULL,
  permanent BIGINT NOT NULL,
  created BIGINT NOT NULL,
  bytes BIGINT NOT NULL,
  PRIMARY KEY (source_id, day)
);
CREATE INDEX poll_days_by_day ON poll_days (day);

CREATE TABLE events (
  id BIGINT PRIMARY KEY,
  type TEXT NOT NULL,
  at BIGINT NOT NULL,
  user_id TEXT COLLATE "C",
  podcast_id TEXT COLLATE "C",
  source_id TEXT COLLATE "C",
  host TEXT,
  data TEXT NOT NULL
);

-- Sources that are gone while some of their rows are still to be deleted.
CREATE TABLE purges (source_id TEXT COLLATE "C" PRIMARY KEY);

-- Full-text index over title and the beginning of the body: an expression, so the words are not stored a second time.
-- The cut keeps a long body below what a tsvector can hold. Without translate() an address such as example.com/a-b
-- would be one word.
CREATE INDEX posts_text ON posts USING gin (
  to_tsvector('simple', translate(title || ' ' || substr(body, 1, 20000), './:@-_+#&=%', '           '))
);
