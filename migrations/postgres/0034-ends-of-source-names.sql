-- Parts of the addresses, labels and titles of sources are found without the extension pg_trgm, also those of one or two
-- characters, and in all scripts whatever the locale of the database. The index has every three neighbouring characters;
-- two line breaks at the end make each character the first of three. Sources that are there already follow in the
-- background, up to the counters: 1 while some are missing.
-- See docs/decisions/0202-short-parts-of-source-names.md
DROP TABLE source_texts;
CREATE TABLE source_texts (source_id TEXT COLLATE "C" PRIMARY KEY, text TEXT NOT NULL);

-- Every third one, from the first, the second and the third character on, and what is left at the end. Cutting a text in
-- one step takes a third of the time of cutting out each three. That needs a character that is not in the text. Its cost
-- keeps the planner from calling it for all rows instead of using the index.
CREATE FUNCTION trigrams_of(text TEXT) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE COST 1000 AS $$ BEGIN
  IF strpos(text, E'\x01') > 0 THEN
    RETURN array_to_tsvector(ARRAY(SELECT substr(text || E'\n\n', i, 3) FROM generate_series(1, length(text)) AS i));
  END IF;
  RETURN array_to_tsvector(string_to_array(
    regexp_replace(text, '(...)', E'\\1\x01', 'g') || E'\n\n\x01'
    || regexp_replace(substr(text, 2), '(...)', E'\\1\x01', 'g') || E'\n\n\x01'
    || regexp_replace(substr(text, 3), '(...)', E'\\1\x01', 'g') || E'\n\n', E'\x01'));
END $$;
-- Every search reads what waits to be put into the index.
CREATE INDEX source_texts_by_trigram ON source_texts USING gin (trigrams_of(text)) WITH (gin_pending_list_limit = 512);

UPDATE counters SET value = CASE WHEN EXISTS (SELECT 1 FROM sources) THEN 1 ELSE 0 END WHERE name = 'source-texts-backlog';
INSERT INTO counters (name, value) SELECT 'source-ends-backlog', value FROM counters WHERE name = 'source-texts-backlog';
DELETE FROM meta WHERE key = 'source-texts-after';
