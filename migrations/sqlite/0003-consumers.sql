-- Where named consumers stand: the last post of the podcast that they are done with.
CREATE TABLE cursors (
  podcast_id TEXT NOT NULL REFERENCES podcasts (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  position INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (podcast_id, name)
) STRICT, WITHOUT ROWID;

-- The newest post of a podcast that clean-up took away: a consumer that stands before it has a gap.
CREATE TABLE removed_posts (
  podcast_id TEXT PRIMARY KEY REFERENCES podcasts (id) ON DELETE CASCADE,
  position INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Which article has this text already is asked for every new post; posts in no article cost nothing here.
CREATE INDEX posts_linked_by_text ON posts (podcast_id, content_hash) WHERE links > 0;

CREATE TABLE webhooks (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  url TEXT NOT NULL,
  types TEXT NOT NULL,
  trusted INTEGER NOT NULL,
  position INTEGER NOT NULL,       -- the last event that was looked at for it
  failures INTEGER NOT NULL,       -- attempts in a row that failed, whatever their message
  disabled_at INTEGER,
  disabled_reason TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX webhooks_of_user ON webhooks (user_id, created_at, id);

-- Messages on their way to a webhook, and those that were given up. What was delivered is gone.
CREATE TABLE deliveries (
  webhook_id TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  event_id INTEGER NOT NULL,
  message_id TEXT NOT NULL,
  type TEXT NOT NULL,
  payload TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  first_attempt_at INTEGER,
  last_attempt_at INTEGER,
  last_status INTEGER,
  last_error TEXT,
  next_at INTEGER,                 -- null: given up
  PRIMARY KEY (webhook_id, event_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX deliveries_due ON deliveries (webhook_id, next_at) WHERE next_at IS NOT NULL;
CREATE INDEX deliveries_dead ON deliveries (webhook_id, event_id) WHERE next_at IS NULL;
