-- What the last document of a source stated about itself, and the folder that a person or an OPML list put it in.
ALTER TABLE sources ADD COLUMN title TEXT;
ALTER TABLE sources ADD COLUMN site_url TEXT;
ALTER TABLE sources ADD COLUMN language TEXT;
ALTER TABLE sources ADD COLUMN folder TEXT;
ALTER TABLE sources ADD COLUMN post_count INTEGER NOT NULL DEFAULT 0;
-- The name that people see, in lower case: label, else title, else URL.
ALTER TABLE sources ADD COLUMN sort_name TEXT NOT NULL DEFAULT '';
UPDATE sources SET
  post_count = (SELECT count(*) FROM posts WHERE posts.source_id = sources.id),
  sort_name = substr(lower(COALESCE(label, url)), 1, 200);

-- A list of very many sources is sorted by reading one of these. Sources without an instant come last or first.
CREATE INDEX sources_by_name ON sources (podcast_id, sort_name, id);
CREATE INDEX sources_by_next_poll ON sources (podcast_id, COALESCE(next_poll_at, 9007199254740991), id);
CREATE INDEX sources_by_last_poll ON sources (podcast_id, COALESCE(last_polled, -1), id);
CREATE INDEX sources_by_posts ON sources (podcast_id, post_count, id);

ALTER TABLE articles ADD COLUMN processed_at INTEGER;

ALTER TABLE poll_days ADD COLUMN not_modified INTEGER NOT NULL DEFAULT 0;
CREATE INDEX polls_by_time ON polls (started_at, id);

-- Totals of a podcast and an hour (hours since 1970), in several rows, so that polls at different hosts rarely wait for
-- each other.
CREATE TABLE poll_hours (
  podcast_id TEXT NOT NULL REFERENCES podcasts (id) ON DELETE CASCADE,
  hour INTEGER NOT NULL,
  part INTEGER NOT NULL,
  polls INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  not_modified INTEGER NOT NULL,
  created INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY (podcast_id, hour, part)
) STRICT, WITHOUT ROWID;
CREATE INDEX poll_hours_by_hour ON poll_hours (hour);
INSERT INTO poll_hours (podcast_id, hour, part, polls, failures, not_modified, created, bytes)
SELECT s.podcast_id, p.started_at / 3600000, 0, count(*), sum(CASE WHEN p.outcome = 'success' THEN 0 ELSE 1 END),
  sum(p.not_modified), sum(p.created), sum(p.bytes)
FROM polls p JOIN sources s ON s.id = p.source_id GROUP BY s.podcast_id, p.started_at / 3600000;
