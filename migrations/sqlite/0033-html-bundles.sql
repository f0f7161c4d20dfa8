-- The HTML of the posts that came together is compressed together: that takes a quarter of the time and less room than one
-- by one. HTML from before, and what pages behind posts bring, is in post_contents.
-- See docs/decisions/0201-html-of-new-posts-packed-together.md
CREATE TABLE html_bundles (
  id INTEGER PRIMARY KEY, -- of the first post that has a text in it
  last_post_id INTEGER NOT NULL,
  html BLOB NOT NULL
) STRICT;
ALTER TABLE posts ADD COLUMN html_bundle INTEGER;
ALTER TABLE posts ADD COLUMN html_index INTEGER; -- which text of the bundle, from 0

-- A bundle goes with its last post.
CREATE TRIGGER post_left_bundle AFTER DELETE ON posts WHEN old.html_bundle IS NOT NULL BEGIN
  DELETE FROM html_bundles WHERE id = old.html_bundle AND NOT EXISTS (
    SELECT 1 FROM posts p
    WHERE p.id BETWEEN html_bundles.id AND html_bundles.last_post_id AND p.html_bundle = html_bundles.id);
END;
