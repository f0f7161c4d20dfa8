-- How many sources, hosts, posts and articles a podcast has, kept by triggers: counting a million rows takes long. `part` is
-- for PostgreSQL, where writers would wait for each other.
CREATE TABLE podcast_counts (
  podcast_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  part INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (podcast_id, kind, part)
) STRICT, WITHOUT ROWID;

-- The lanes of a podcast's sources, with how many are in each.
CREATE TABLE podcast_lanes (
  podcast_id TEXT NOT NULL,
  lane TEXT NOT NULL,
  sources INTEGER NOT NULL,
  PRIMARY KEY (podcast_id, lane)
) STRICT, WITHOUT ROWID;

-- Where there is one podcast, an index alone tells the lanes.
INSERT INTO podcast_lanes (podcast_id, lane, sources)
  SELECT (SELECT id FROM podcasts), lane, count(*) FROM sources
  WHERE (SELECT count(*) FROM podcasts) = 1 GROUP BY lane;
INSERT INTO podcast_lanes (podcast_id, lane, sources)
  SELECT podcast_id, lane, count(*) FROM sources
  WHERE (SELECT count(*) FROM podcasts) > 1 GROUP BY podcast_id, lane;
INSERT INTO podcast_counts (podcast_id, kind, part, n)
  SELECT podcast_id, 'sources', 0, sum(sources) FROM podcast_lanes GROUP BY podcast_id;
INSERT INTO podcast_counts (podcast_id, kind, part, n)
  SELECT podcast_id, 'hosts', 0, count(*) FROM podcast_lanes WHERE lane <> '' GROUP BY podcast_id;
INSERT INTO podcast_counts (podcast_id, kind, part, n) SELECT podcast_id, 'posts', 0, count(*) FROM posts GROUP BY podcast_id;
INSERT INTO podcast_counts (podcast_id, kind, part, n) SELECT podcast_id, 'articles', 0, count(*) FROM articles GROUP BY podcast_id;

CREATE TRIGGER lane_added AFTER INSERT ON podcast_lanes WHEN new.lane <> '' BEGIN
  INSERT INTO podcast_counts (podcast_id, kind, part, n) VALUES (new.podcast_id, 'hosts', 0, 1)
    ON CONFLICT (podcast_id, kind, part) DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER lane_removed AFTER DELETE ON podcast_lanes WHEN old.lane <> '' BEGIN
  UPDATE podcast_counts SET n = n - 1 WHERE podcast_id = old.podcast_id AND kind = 'hosts' AND part = 0;
END;
CREATE TRIGGER lane_emptied AFTER UPDATE OF sources ON podcast_lanes WHEN new.sources = 0 BEGIN
  DELETE FROM podcast_lanes WHERE podcast_id = new.podcast_id AND lane = new.lane;
END;
CREATE TRIGGER source_moved AFTER UPDATE OF podcast_id, lane ON sources
WHEN old.podcast_id <> new.podcast_id OR old.lane <> new.lane BEGIN
  INSERT INTO podcast_lanes (podcast_id, lane, sources) VALUES (new.podcast_id, new.lane, 1)
    ON CONFLICT (podcast_id, lane) DO UPDATE SET sources = sources + 1;
  UPDATE podcast_lanes SET sources = sources - 1 WHERE podcast_id = old.podcast_id AND lane = old.lane;
  INSERT INTO podcast_counts (podcast_id, kind, part, n) VALUES (new.podcast_id, 'sources', 0, 1)
    ON CONFLICT (podcast_id, kind, part) DO UPDATE SET n = n + 1;
  UPDATE podcast_counts SET n = n - 1 WHERE podcast_id = old.podcast_id AND kind = 'sources' AND part = 0;
END;

CREATE TRIGGER post_added AFTER INSERT ON posts BEGIN
  INSERT INTO podcast_counts (podcast_id, kind, part, n) VALUES (new.podcast_id, 'posts', 0, 1)
    ON CONFLICT (podcast_id, kind, part) DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER post_removed AFTER DELETE ON posts BEGIN
  UPDATE podcast_counts SET n = n - 1 WHERE podcast_id = old.podcast_id AND kind = 'posts' AND part = 0;
END;
CREATE TRIGGER post_moved AFTER UPDATE OF podcast_id ON posts WHEN old.podcast_id <> new.podcast_id BEGIN
  INSERT INTO podcast_counts (podcast_id, kind, part, n) VALUES (new.podcast_id, 'posts', 0, 1)
    ON CONFLICT (podcast_id, kind, part) DO UPDATE SET n = n + 1;
  UPDATE podcast_counts SET n = n - 1 WHERE podcast_id = old.podcast_id AND kind = 'posts' AND part = 0;
END;
CREATE TRIGGER article_added AFTER INSERT ON articles BEGIN
  INSERT INTO podcast_counts (podcast_id, kind, part, n) VALUES (new.podcast_id, 'articles', 0, 1)
    ON CONFLICT (podcast_id, kind, part) DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER article_removed AFTER DELETE ON articles BEGIN
  UPDATE podcast_counts SET n = n - 1 WHERE podcast_id = old.podcast_id AND kind = 'articles' AND part = 0;
END;
CREATE TRIGGER article_moved AFTER UPDATE OF podcast_id ON articles WHEN old.podcast_id <> new.podcast_id BEGIN
  INSERT INTO podcast_counts (podcast_id, kind, part, n) VALUES (new.podcast_id, 'articles', 0, 1)
    ON CONFLICT (podcast_id, kind, part) DO UPDATE SET n = n + 1;
  UPDATE podcast_counts SET n = n - 1 WHERE podcast_id = old.podcast_id AND kind = 'articles' AND part = 0;
END;

-- Every three neighbouring characters of a source's address, label and title, so that a part of one is found among very
-- many sources. The rows of an FTS5 table have numbers. Sources that are there already follow in the background, up to
-- the counter: 1 while some are missing.
CREATE TABLE source_numbers (number INTEGER PRIMARY KEY, source_id TEXT NOT NULL UNIQUE) STRICT;
CREATE VIRTUAL TABLE source_texts USING fts5 (
  text, content = '', contentless_delete = 1, detail = 'none', tokenize = 'trigram case_sensitive 1'
);
INSERT INTO source_texts (source_texts, rank) VALUES ('automerge', 0), ('crisismerge', 500);
INSERT INTO counters (name, value) SELECT 'source-texts-backlog', EXISTS (SELECT 1 FROM sources);

CREATE TRIGGER source_added AFTER INSERT ON sources BEGIN
  INSERT INTO podcast_lanes (podcast_id, lane, sources) VALUES (new.podcast_id, new.lane, 1)
    ON CONFLICT (podcast_id, lane) DO UPDATE SET sources = sources + 1;
  INSERT INTO podcast_counts (podcast_id, kind, part, n) VALUES (new.podcast_id, 'sources', 0, 1)
    ON CONFLICT (podcast_id, kind, part) DO UPDATE SET n = n + 1;
  INSERT INTO source_numbers (source_id) VALUES (new.id);
  INSERT INTO source_texts (rowid, text) SELECT number, new.search FROM source_numbers WHERE source_id = new.id;
END;
CREATE TRIGGER source_removed AFTER DELETE ON sources BEGIN
  UPDATE podcast_lanes SET sources = sources - 1 WHERE podcast_id = old.podcast_id AND lane = old.lane;
  UPDATE podcast_counts SET n = n - 1 WHERE podcast_id = old.podcast_id AND kind = 'sources' AND part = 0;
  DELETE FROM source_texts WHERE rowid = (SELECT number FROM source_numbers WHERE source_id = old.id);
  DELETE FROM source_numbers WHERE source_id = old.id;
END;
CREATE TRIGGER source_renamed AFTER UPDATE OF search ON sources WHEN old.search <> new.search BEGIN
  UPDATE source_texts SET text = new.search WHERE rowid = (SELECT number FROM source_numbers WHERE source_id = new.id);
END;

-- Most sources are feeds. Those of another type are few among them.
CREATE INDEX sources_of_other_types ON sources (type, id) WHERE type <> 'rss';
