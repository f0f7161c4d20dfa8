-- How many bytes the posts and articles of a podcast take, kept with their counts: texts, addresses and lists, and 500 for
-- what every row has beside them (ids, times, indexes). `content_bytes` is what a post has in post_contents; of posts from
-- before this migration it is 0, so that their rows need not be written again.
ALTER TABLE podcast_counts ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE posts ADD COLUMN content_bytes INTEGER NOT NULL DEFAULT 0;

UPDATE podcast_counts SET bytes = counted.bytes
  FROM (SELECT podcast_id, sum(
      500 + octet_length(title) + octet_length(body) + octet_length(url)
      + COALESCE(octet_length(guid), 0) + octet_length(categories) + octet_length(enclosures) + content_bytes) AS bytes
    FROM posts GROUP BY podcast_id) AS counted
  WHERE podcast_counts.podcast_id = counted.podcast_id AND kind = 'posts' AND part = 0;
UPDATE podcast_counts SET bytes = counted.bytes
  FROM (SELECT podcast_id, sum(
      500 + octet_length(title) + octet_length(body) + octet_length(url)) AS bytes
    FROM articles GROUP BY podcast_id) AS counted
  WHERE podcast_counts.podcast_id = counted.podcast_id AND kind = 'articles' AND part = 0;

DROP TRIGGER post_added;
DROP TRIGGER post_removed;
DROP TRIGGER post_moved;
CREATE TRIGGER post_added AFTER INSERT ON posts BEGIN
  INSERT INTO podcast_counts (podcast_id, kind, part, n, bytes)
    VALUES (new.podcast_id, 'posts', 0, 1,
      500 + octet_length(new.title) + octet_length(new.body) + octet_length(new.url)
      + COALESCE(octet_length(new.guid), 0) + octet_length(new.categories) + octet_length(new.enclosures) + new.content_bytes)
    ON CONFLICT (podcast_id, kind, part) DO UPDATE SET n = n + 1, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER post_removed AFTER DELETE ON posts BEGIN
  UPDATE podcast_counts SET n = n - 1, bytes = bytes - (
      500 + octet_length(old.title) + octet_length(old.body) + octet_length(old.url)
      + COALESCE(octet_length(old.guid), 0) + octet_length(old.categories) + octet_length(old.enclosures) + old.content_bytes)
    WHERE podcast_id = old.podcast_id AND kind = 'posts' AND part = 0;
END;
CREATE TRIGGER post_moved AFTER UPDATE OF podcast_id ON posts WHEN old.podcast_id <> new.podcast_id BEGIN
  INSERT INTO podcast_counts (podcast_id, kind, part, n, bytes)
    VALUES (new.podcast_id, 'posts', 0, 1,
      500 + octet_length(new.title) + octet_length(new.body) + octet_length(new.url)
      + COALESCE(octet_length(new.guid), 0) + octet_length(new.categories) + octet_length(new.enclosures) + new.content_bytes)
    ON CONFLICT (podcast_id, kind, part) DO UPDATE SET n = n + 1, bytes = bytes + excluded.bytes;
  UPDATE podcast_counts SET n = n - 1, bytes = bytes - (
      500 + octet_length(old.title) + octet_length(old.body) + octet_length(old.url)
      + COALESCE(octet_length(old.guid), 0) + octet_length(old.categories) + octet_length(old.enclosures) + old.content_bytes)
    WHERE podcast_id = old.podcast_id AND kind = 'posts' AND part = 0;
END;
CREATE TRIGGER post_content_changed AFTER UPDATE OF content_bytes ON posts WHEN old.content_bytes <> new.content_bytes BEGIN
  UPDATE podcast_counts SET bytes = bytes + new.content_bytes - old.content_bytes
    WHERE podcast_id = new.podcast_id AND kind = 'posts' AND part = 0;
END;

DROP TRIGGER article_added;
DROP TRIGGER article_removed;
DROP TRIGGER article_moved;
CREATE TRIGGER article_added AFTER INSERT ON articles BEGIN
  INSERT INTO podcast_counts (podcast_id, kind, part, n, bytes)
    VALUES (new.podcast_id, 'articles', 0, 1,
      500 + octet_length(new.title) + octet_length(new.body) + octet_length(new.url))
    ON CONFLICT (podcast_id, kind, part) DO UPDATE SET n = n + 1, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER article_removed AFTER DELETE ON articles BEGIN
  UPDATE podcast_counts SET n = n - 1, bytes = bytes - (
      500 + octet_length(old.title) + octet_length(old.body) + octet_length(old.url))
    WHERE podcast_id = old.podcast_id AND kind = 'articles' AND part = 0;
END;
CREATE TRIGGER article_moved AFTER UPDATE OF podcast_id ON articles WHEN old.podcast_id <> new.podcast_id BEGIN
  INSERT INTO podcast_counts (podcast_id, kind, part, n, bytes)
    VALUES (new.podcast_id, 'articles', 0, 1,
      500 + octet_length(new.title) + octet_length(new.body) + octet_length(new.url))
    ON CONFLICT (podcast_id, kind, part) DO UPDATE SET n = n + 1, bytes = bytes + excluded.bytes;
  UPDATE podcast_counts SET n = n - 1, bytes = bytes - (
      500 + octet_length(old.title) + octet_length(old.body) + octet_length(old.url))
    WHERE podcast_id = old.podcast_id AND kind = 'articles' AND part = 0;
END;
CREATE TRIGGER article_rewritten AFTER UPDATE OF body ON articles BEGIN
  UPDATE podcast_counts SET bytes = bytes + octet_length(new.body) - octet_length(old.body)
    WHERE podcast_id = new.podcast_id AND kind = 'articles' AND part = 0;
END;
