-- A part of one or two characters is found among very many sources too. The index has three neighbouring characters, so it
-- did not know the last two of a text by themselves. Now it has them with two line breaks after them, as a row with the
-- negative number of the source: then each character is the first of three. Sources that are there already get this row in
-- the background, up to the counter: 1 while some have none. Until then the index is good for longer parts only.
-- See docs/decisions/0202-short-parts-of-source-names.md
DROP TRIGGER source_added;
CREATE TRIGGER source_added AFTER INSERT ON sources BEGIN
  INSERT INTO podcast_lanes (podcast_id, lane, sources) VALUES (new.podcast_id, new.lane, 1)
    ON CONFLICT (podcast_id, lane) DO UPDATE SET sources = sources + 1;
  INSERT INTO podcast_counts (podcast_id, kind, part, n) VALUES (new.podcast_id, 'sources', 0, 1)
    ON CONFLICT (podcast_id, kind, part) DO UPDATE SET n = n + 1;
  INSERT INTO source_numbers (source_id) VALUES (new.id);
  INSERT INTO source_texts (rowid, text) SELECT number, new.search FROM source_numbers WHERE source_id = new.id;
  INSERT INTO source_texts (rowid, text)
    SELECT -number, substr(new.search, -2) || char(10, 10) FROM source_numbers WHERE source_id = new.id;
END;
DROP TRIGGER source_removed;
CREATE TRIGGER source_removed AFTER DELETE ON sources BEGIN
  UPDATE podcast_lanes SET sources = sources - 1 WHERE podcast_id = old.podcast_id AND lane = old.lane;
  UPDATE podcast_counts SET n = n - 1 WHERE podcast_id = old.podcast_id AND kind = 'sources' AND part = 0;
  DELETE FROM source_texts WHERE rowid = (SELECT number FROM source_numbers WHERE source_id = old.id);
  DELETE FROM source_texts WHERE rowid = (SELECT -number FROM source_numbers WHERE source_id = old.id);
  DELETE FROM source_numbers WHERE source_id = old.id;
END;
CREATE TRIGGER source_end_changed AFTER UPDATE OF search ON sources
WHEN substr(old.search, -2) <> substr(new.search, -2) BEGIN
  UPDATE source_texts SET text = substr(new.search, -2) || char(10, 10)
    WHERE rowid = (SELECT -number FROM source_numbers WHERE source_id = new.id);
END;
-- Which three characters there are.
CREATE VIRTUAL TABLE source_texts_terms USING fts5vocab (source_texts, instance);
INSERT INTO counters (name, value) SELECT 'source-ends-backlog', EXISTS (SELECT 1 FROM sources);
DELETE FROM meta WHERE key = 'source-texts-after';
