-- robots.txt is asked once a day for each host. What was known for each origin is asked again.
DROP TABLE robots;
CREATE TABLE robots (
  host TEXT PRIMARY KEY,
  asked_at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  text TEXT
) STRICT;

-- The transcript of an episode, for whoever asks for the full text later.
ALTER TABLE posts ADD COLUMN transcript_url TEXT;
