-- The counts of a podcast had a row for each connection, up to 256, and two connections could have the same one and wait
-- for each other. Now whoever counts takes a row that nobody has locked: the first from a random number on; if there is
-- none, that number becomes one.
CREATE FUNCTION free_part(podcast TEXT, what TEXT) RETURNS INTEGER LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  first_part INTEGER := floor(random() * 2147483647);
  free INTEGER;
BEGIN
  SELECT part INTO free FROM podcast_counts WHERE podcast_id = podcast AND kind = what AND part >= first_part
    ORDER BY part LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
  RETURN COALESCE(free, first_part);
END $$;

-- Every function that counts names the podcast and the kind before the part: (podcast_id, 'posts', pg_backend_pid() % 256).
DO $$
DECLARE definition TEXT;
BEGIN
  FOR definition IN
    SELECT pg_get_functiondef(oid) FROM pg_proc
    WHERE pronamespace = current_schema()::regnamespace AND prosrc LIKE '%pg_backend_pid() \% 256%'
  LOOP
    EXECUTE regexp_replace(
      definition, '(\w+), (''?\w+''?), pg_backend_pid\(\) % 256', '\1, \2, free_part(\1, \2)', 'g');
  END LOOP;
END $$;

-- To compress the text of a new post took PostgreSQL as long as all the rest of storing it. LZ4 takes a tenth of that.
-- Servers that were built without it leave texts of up to 4 kB as they are. Stored texts stay as they are.
-- See docs/decisions/0186-texts-of-posts-compressed-with-lz4.md
DO $$ BEGIN
  EXECUTE 'ALTER TABLE posts ALTER COLUMN body SET COMPRESSION lz4';
EXCEPTION WHEN OTHERS THEN
  ALTER TABLE posts SET (toast_tuple_target = 4080);
END $$;
