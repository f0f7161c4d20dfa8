-- How many sources, hosts, posts and articles a podcast has, kept by triggers: counting a million rows takes long. Each
-- connection has a row of its own, so that writers do not wait for each other; a row may be negative, the sum is not.
CREATE TABLE podcast_counts (
  podcast_id TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  part INTEGER NOT NULL,
  n BIGINT NOT NULL,
  PRIMARY KEY (podcast_id, kind, part)
);

-- The lanes of a podcast's sources, with how many are in each.
CREATE TABLE podcast_lanes (
  podcast_id TEXT COLLATE "C" NOT NULL,
  lane TEXT COLLATE "C" NOT NULL,
  sources BIGINT NOT NULL,
  PRIMARY KEY (podcast_id, lane)
);

-- Every address, label and title, apart from the rows that each poll writes. With the extension pg_trgm, an index finds a
-- part of one among very many. Sources that are there already follow in the background, up to the counter: 1 while some
-- are missing.
CREATE TABLE source_texts (source_id TEXT COLLATE "C" PRIMARY KEY, text TEXT NOT NULL);
DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX source_texts_by_trigram ON source_texts USING gin (text gin_trgm_ops);
EXCEPTION WHEN OTHERS THEN
  RAISE NOTICE 'pg_trgm is not available: parts of names are looked for without an index';
END $$;
INSERT INTO counters (name, value) SELECT 'source-texts-backlog', CASE WHEN EXISTS (SELECT 1 FROM sources) THEN 1 ELSE 0 END;

INSERT INTO podcast_lanes (podcast_id, lane, sources) SELECT podcast_id, lane, count(*) FROM sources GROUP BY podcast_id, lane;
INSERT INTO podcast_counts (podcast_id, kind, part, n)
  SELECT podcast_id, 'sources', 0, sum(sources) FROM podcast_lanes GROUP BY podcast_id;
INSERT INTO podcast_counts (podcast_id, kind, part, n)
  SELECT podcast_id, 'hosts', 0, count(*) FROM podcast_lanes WHERE lane <> '' GROUP BY podcast_id;
INSERT INTO podcast_counts (podcast_id, kind, part, n) SELECT podcast_id, 'posts', 0, count(*) FROM posts GROUP BY podcast_id;
INSERT INTO podcast_counts (podcast_id, kind, part, n) SELECT podcast_id, 'articles', 0, count(*) FROM articles GROUP BY podcast_id;

CREATE FUNCTION count_more(podcast TEXT, what TEXT, more BIGINT) RETURNS VOID LANGUAGE sql AS $$
  INSERT INTO podcast_counts AS c (podcast_id, kind, part, n) VALUES (podcast, what, pg_backend_pid() % 256, more)
    ON CONFLICT (podcast_id, kind, part) DO UPDATE SET n = c.n + excluded.n
$$;

CREATE FUNCTION lane_added() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
  PERFORM count_more(NEW.podcast_id, 'hosts', 1);
  RETURN NULL;
END $$;
CREATE FUNCTION lane_removed() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
  PERFORM count_more(OLD.podcast_id, 'hosts', -1);
  RETURN NULL;
END $$;
CREATE FUNCTION lane_emptied() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
  DELETE FROM podcast_lanes WHERE podcast_id = NEW.podcast_id AND lane = NEW.lane;
  RETURN NULL;
END $$;
CREATE TRIGGER lane_added AFTER INSERT ON podcast_lanes FOR EACH ROW WHEN (NEW.lane <> '') EXECUTE FUNCTION lane_added();
CREATE TRIGGER lane_removed AFTER DELETE ON podcast_lanes FOR EACH ROW WHEN (OLD.lane <> '') EXECUTE FUNCTION lane_removed();
CREATE TRIGGER lane_emptied AFTER UPDATE ON podcast_lanes FOR EACH ROW WHEN (NEW.sources = 0) EXECUTE FUNCTION lane_emptied();

-- Posts and articles.
CREATE FUNCTION rows_added() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO podcast_counts AS c (podcast_id, kind, part, n)
    SELECT podcast_id, TG_TABLE_NAME, pg_backend_pid() % 256, count(*) FROM changed GROUP BY podcast_id ORDER BY podcast_id
    ON CONFLICT (podcast_id, kind, part) DO UPDATE SET n = c.n + excluded.n;
  RETURN NULL;
END $$;
CREATE FUNCTION rows_removed() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO podcast_counts AS c (podcast_id, kind, part, n)
    SELECT podcast_id, TG_TABLE_NAME, pg_backend_pid() % 256, -count(*) FROM changed GROUP BY podcast_id ORDER BY podcast_id
    ON CONFLICT (podcast_id, kind, part) DO UPDATE SET n = c.n + excluded.n;
  RETURN NULL;
END $$;
CREATE FUNCTION row_moved() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
  PERFORM count_more(OLD.podcast_id, TG_TABLE_NAME, -1);
  PERFORM count_more(NEW.podcast_id, TG_TABLE_NAME, 1);
  RETURN NULL;
END $$;
CREATE TRIGGER posts_added AFTER INSERT ON posts REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION rows_added();
CREATE TRIGGER posts_removed AFTER DELETE ON posts REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION rows_removed();
CREATE TRIGGER post_moved AFTER UPDATE OF podcast_id ON posts
  FOR EACH ROW WHEN (OLD.podcast_id <> NEW.podcast_id) EXECUTE FUNCTION row_moved();
CREATE TRIGGER articles_added AFTER INSERT ON articles REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION rows_added();
CREATE TRIGGER articles_removed AFTER DELETE ON articles REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION rows_removed();
CREATE TRIGGER article_moved AFTER UPDATE OF podcast_id ON articles
  FOR EACH ROW WHEN (OLD.podcast_id <> NEW.podcast_id) EXECUTE FUNCTION row_moved();

CREATE FUNCTION sources_added() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO podcast_counts AS c (podcast_id, kind, part, n)
    SELECT podcast_id, 'sources', pg_backend_pid() % 256, count(*) FROM changed GROUP BY podcast_id ORDER BY podcast_id
    ON CONFLICT (podcast_id, kind, part) DO UPDATE SET n = c.n + excluded.n;
  INSERT INTO source_texts (source_id, text) SELECT id, search FROM changed
    ON CONFLICT (source_id) DO UPDATE SET text = excluded.text;
  RETURN NULL;
END $$;
CREATE FUNCTION sources_removed() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO podcast_counts AS c (podcast_id, kind, part, n)
    SELECT podcast_id, 'sources', pg_backend_pid() % 256, -count(*) FROM changed GROUP BY podcast_id ORDER BY podcast_id
    ON CONFLICT (podcast_id, kind, part) DO UPDATE SET n = c.n + excluded.n;
  DELETE FROM source_texts WHERE source_id IN (SELECT id FROM changed);
  RETURN NULL;
END $$;
CREATE FUNCTION source_moved() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
  PERFORM count_more(NEW.podcast_id, 'sources', 1);
  PERFORM count_more(OLD.podcast_id, 'sources', -1);
  RETURN NULL;
END $$;
CREATE FUNCTION lane_of_source_changed() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO podcast_lanes AS l (podcast_id, lane, sources) VALUES (NEW.podcast_id, NEW.lane, 1)
      ON CONFLICT (podcast_id, lane) DO UPDATE SET sources = l.sources + 1;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    UPDATE podcast_lanes SET sources = sources - 1 WHERE podcast_id = OLD.podcast_id AND lane = OLD.lane;
  END IF;
  RETURN NULL;
END $$;
-- An upsert: in the background the same source may just be added with its old name.
CREATE FUNCTION source_renamed() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO source_texts (source_id, text) VALUES (NEW.id, NEW.search)
    ON CONFLICT (source_id) DO UPDATE SET text = excluded.text;
  RETURN NULL;
END $$;
CREATE TRIGGER sources_added AFTER INSERT ON sources REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION sources_added();
CREATE TRIGGER sources_removed AFTER DELETE ON sources REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION sources_removed();
CREATE TRIGGER source_moved AFTER UPDATE OF podcast_id ON sources
  FOR EACH ROW WHEN (OLD.podcast_id <> NEW.podcast_id) EXECUTE FUNCTION source_moved();
-- At the end of the transaction: those who add sources of the same host do not wait for each other's whole work.
CREATE CONSTRAINT TRIGGER lane_of_source AFTER INSERT OR DELETE ON sources DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION lane_of_source_changed();
CREATE CONSTRAINT TRIGGER lane_of_changed_source AFTER UPDATE OF podcast_id, lane ON sources DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.podcast_id <> NEW.podcast_id OR OLD.lane <> NEW.lane) EXECUTE FUNCTION lane_of_source_changed();
CREATE TRIGGER source_renamed AFTER UPDATE OF search ON sources
  FOR EACH ROW WHEN (OLD.search <> NEW.search) EXECUTE FUNCTION source_renamed();

-- Most sources are feeds. Those of another type are few among them.
CREATE INDEX sources_of_other_types ON sources (type, id) WHERE type <> 'rss';
