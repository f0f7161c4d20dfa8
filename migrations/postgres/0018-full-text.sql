-- Whether the pages behind a source's posts are asked for their text; null: as configured.
ALTER TABLE sources ADD COLUMN full_text TEXT;

-- Pages behind posts that are still to be asked. What was found, or given up, is gone from here.
CREATE TABLE page_fetches (
  post_id BIGINT PRIMARY KEY REFERENCES posts (id) ON DELETE CASCADE,
  url TEXT NOT NULL,
  kind TEXT NOT NULL,
  lane TEXT COLLATE "C" NOT NULL,
  due_at BIGINT NOT NULL,
  tries BIGINT NOT NULL
);
CREATE INDEX page_fetches_due ON page_fetches (lane, due_at);

-- What robots.txt of an origin said when it was last asked.
CREATE TABLE robots (
  origin TEXT COLLATE "C" PRIMARY KEY,
  asked_at BIGINT NOT NULL,
  kind TEXT NOT NULL,
  text TEXT
);
