-- The HTML of the posts that came together is compressed together: that takes a quarter of the time and less room than one
-- by one. HTML from before, and what pages behind posts bring, is in post_contents.
-- See docs/decisions/0201-html-of-new-posts-packed-together.md
CREATE TABLE html_bundles (
  id BIGINT PRIMARY KEY, -- of the first post that has a text in it
  last_post_id BIGINT NOT NULL,
  html BYTEA NOT NULL
);
-- What is compressed already is not compressed once more.
ALTER TABLE html_bundles ALTER COLUMN html SET STORAGE EXTERNAL;
ALTER TABLE post_contents ALTER COLUMN html SET STORAGE EXTERNAL;
ALTER TABLE post_contents ALTER COLUMN full_text SET STORAGE EXTERNAL;
ALTER TABLE posts ADD COLUMN html_bundle BIGINT;
ALTER TABLE posts ADD COLUMN html_index INTEGER; -- which text of the bundle, from 0

-- A bundle goes with its last post. Two transactions that remove posts of the same one wait for each other, so that the
-- later one sees that nothing is left.
CREATE FUNCTION posts_left_bundles() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE left_bundles BIGINT[];
BEGIN
  SELECT array_agg(id) INTO left_bundles FROM (
    SELECT id FROM html_bundles WHERE id IN (SELECT html_bundle FROM changed) ORDER BY id FOR UPDATE) AS locked;
  IF left_bundles IS NOT NULL THEN
    DELETE FROM html_bundles b WHERE b.id = ANY (left_bundles) AND NOT EXISTS (
      SELECT 1 FROM posts p WHERE p.id BETWEEN b.id AND b.last_post_id AND p.html_bundle = b.id);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER posts_left_bundles AFTER DELETE ON posts REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION posts_left_bundles();
