-- How many bytes the posts and articles of a podcast take, kept with their counts: texts, addresses and lists, and 500 for
-- what every row has beside them (ids, times, indexes). `content_bytes` is what a post has in post_contents; of posts from
-- before this migration it is 0, so that their rows need not be written again.
ALTER TABLE podcast_counts ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0;
ALTER TABLE posts ADD COLUMN content_bytes BIGINT NOT NULL DEFAULT 0;

INSERT INTO podcast_counts AS c (podcast_id, kind, part, n, bytes)
  SELECT podcast_id, 'posts', 0, 0, sum(
      500 + octet_length(title) + octet_length(body) + octet_length(url)
      + COALESCE(octet_length(guid), 0) + octet_length(categories) + octet_length(enclosures) + content_bytes)
  FROM posts GROUP BY podcast_id
  ON CONFLICT (podcast_id, kind, part) DO UPDATE SET bytes = excluded.bytes;
INSERT INTO podcast_counts AS c (podcast_id, kind, part, n, bytes)
  SELECT podcast_id, 'articles', 0, 0, sum(500 + octet_length(title) + octet_length(body) + octet_length(url))
  FROM articles GROUP BY podcast_id
  ON CONFLICT (podcast_id, kind, part) DO UPDATE SET bytes = excluded.bytes;

CREATE FUNCTION count_bytes(podcast TEXT, what TEXT, more BIGINT, bytes_more BIGINT) RETURNS VOID LANGUAGE sql AS $$
  INSERT INTO podcast_counts AS c (podcast_id, kind, part, n, bytes)
    VALUES (podcast, what, pg_backend_pid() % 256, more, bytes_more)
    ON CONFLICT (podcast_id, kind, part) DO UPDATE SET n = c.n + excluded.n, bytes = c.bytes + excluded.bytes
$$;

CREATE OR REPLACE FUNCTION rows_added() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
  IF TG_TABLE_NAME = 'posts' THEN
    INSERT INTO podcast_counts AS c (podcast_id, kind, part, n, bytes)
      SELECT podcast_id, 'posts', pg_backend_pid() % 256, count(*), sum(
      500 + octet_length(title) + octet_length(body) + octet_length(url)
      + COALESCE(octet_length(guid), 0) + octet_length(categories) + octet_length(enclosures) + content_bytes)
      FROM changed GROUP BY podcast_id ORDER BY podcast_id
      ON CONFLICT (podcast_id, kind, part) DO UPDATE SET n = c.n + excluded.n, bytes = c.bytes + excluded.bytes;
  ELSE
    INSERT INTO podcast_counts AS c (podcast_id, kind, part, n, bytes)
      SELECT podcast_id, 'articles', pg_backend_pid() % 256, count(*), sum(
      500 + octet_length(title) + octet_length(body) + octet_length(url))
      FROM changed GROUP BY podcast_id ORDER BY podcast_id
      ON CONFLICT (podcast_id, kind, part) DO UPDATE SET n = c.n + excluded.n, bytes = c.bytes + excluded.bytes;
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION rows_removed() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
  IF TG_TABLE_NAME = 'posts' THEN
    INSERT INTO podcast_counts AS c (podcast_id, kind, part, n, bytes)
      SELECT podcast_id, 'posts', pg_backend_pid() % 256, -count(*), -sum(
      500 + octet_length(title) + octet_length(body) + octet_length(url)
      + COALESCE(octet_length(guid), 0) + octet_length(categories) + octet_length(enclosures) + content_bytes)
      FROM changed GROUP BY podcast_id ORDER BY podcast_id
      ON CONFLICT (podcast_id, kind, part) DO UPDATE SET n = c.n + excluded.n, bytes = c.bytes + excluded.bytes;
  ELSE
    INSERT INTO podcast_counts AS c (podcast_id, kind, part, n, bytes)
      SELECT podcast_id, 'articles', pg_backend_pid() % 256, -count(*), -sum(
      500 + octet_length(title) + octet_length(body) + octet_length(url))
      FROM changed GROUP BY podcast_id ORDER BY podcast_id
      ON CONFLICT (podcast_id, kind, part) DO UPDATE SET n = c.n + excluded.n, bytes = c.bytes + excluded.bytes;
  END IF;
  RETURN NULL;
END $$;

-- The bytes of a row are the same in both podcasts.
CREATE OR REPLACE FUNCTION row_moved() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE bytes BIGINT;
BEGIN
  IF TG_TABLE_NAME = 'posts' THEN
    bytes := 500 + octet_length(NEW.title) + octet_length(NEW.body) + octet_length(NEW.url)
      + COALESCE(octet_length(NEW.guid), 0) + octet_length(NEW.categories) + octet_length(NEW.enclosures) + NEW.content_bytes;
  ELSE
    bytes := 500 + octet_length(NEW.title) + octet_length(NEW.body) + octet_length(NEW.url);
  END IF;
  PERFORM count_bytes(OLD.podcast_id, TG_TABLE_NAME, -1, -bytes);
  PERFORM count_bytes(NEW.podcast_id, TG_TABLE_NAME, 1, bytes);
  RETURN NULL;
END $$;
CREATE FUNCTION post_content_changed() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
  PERFORM count_bytes(NEW.podcast_id, 'posts', 0, NEW.content_bytes - OLD.content_bytes);
  RETURN NULL;
END $$;
CREATE FUNCTION article_rewritten() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
  PERFORM count_bytes(NEW.podcast_id, 'articles', 0, octet_length(NEW.body) - octet_length(OLD.body));
  RETURN NULL;
END $$;
CREATE TRIGGER post_content_changed AFTER UPDATE OF content_bytes ON posts
  FOR EACH ROW WHEN (OLD.content_bytes <> NEW.content_bytes) EXECUTE FUNCTION post_content_changed();
CREATE TRIGGER article_rewritten AFTER UPDATE OF body ON articles
  FOR EACH ROW WHEN (OLD.body <> NEW.body) EXECUTE FUNCTION article_rewritten();
