-- Where named consumers stand: the last post of the podcast that they are done with.
CREATE TABLE cursors (
  podcast_id TEXT COLLATE "C" NOT NULL REFERENCES podcasts (id) ON DELETE CASCADE,
  name TEXT COLLATE "C" NOT NULL,
  position BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (podcast_id, name)
);

-- The newest post of a podcast that clean-up took away: a consumer that stands before it has a gap.
CREATE TABLE removed_posts (
  podcast_id TEXT COLLATE "C" PRIMARY KEY REFERENCES podcasts (id) ON DELETE CASCADE,
  position BIGINT NOT NULL
);

-- Which article has this text already is asked for every new post; posts in no article cost nothing here.
CREATE INDEX posts_linked_by_text ON posts (podcast_id, content_hash) WHERE links > 0;

CREATE TABLE webhooks (
  id TEXT COLLATE "C" PRIMARY KEY,
  user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  url TEXT NOT NULL,
  types TEXT NOT NULL,
  trusted SMALLINT NOT NULL,
  position BIGINT NOT NULL,       -- the last event that was looked at for it
  failures BIGINT NOT NULL,       -- attempts in a row that failed, whatever their message
  disabled_at BIGINT,
  disabled_reason TEXT,
  created_at BIGINT NOT NULL
);
CREATE INDEX webhooks_of_user ON webhooks (user_id, created_at, id);

-- Messages on their way to a webhook, and those that were given up. What was delivered is gone.
CREATE TABLE deliveries (
  webhook_id TEXT COLLATE "C" NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  event_id BIGINT NOT NULL,
  message_id TEXT NOT NULL,
  type TEXT NOT NULL,
  payload TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  attempts BIGINT NOT NULL,
  first_attempt_at BIGINT,
  last_attempt_at BIGINT,
  last_status BIGINT,
  last_error TEXT,
  next_at BIGINT,                 -- null: given up
  PRIMARY KEY (webhook_id, event_id)
);
CREATE INDEX deliveries_due ON deliveries (webhook_id, next_at) WHERE next_at IS NOT NULL;
CREATE INDEX deliveries_dead ON deliveries (webhook_id, event_id) WHERE next_at IS NULL;
