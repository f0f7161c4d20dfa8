-- What a post has beside its text, and what became of the page behind it.
ALTER TABLE posts ADD COLUMN language TEXT;
ALTER TABLE posts ADD COLUMN image TEXT;
ALTER TABLE posts ADD COLUMN enclosures TEXT NOT NULL DEFAULT '[]';
ALTER TABLE posts ADD COLUMN comments_url TEXT;
ALTER TABLE posts ADD COLUMN usage_preferences TEXT;
ALTER TABLE posts ADD COLUMN full_text_state TEXT NOT NULL DEFAULT 'none';
ALTER TABLE posts ADD COLUMN full_text_reason TEXT;

-- The large parts, compressed. They stand apart, so that lists and counts do not read them.
CREATE TABLE post_contents (
  post_id INTEGER PRIMARY KEY REFERENCES posts (id) ON DELETE CASCADE,
  html BLOB,
  full_text BLOB
) STRICT;

-- Whether messages about new posts carry the posts themselves.
ALTER TABLE webhooks ADD COLUMN include_posts INTEGER NOT NULL DEFAULT 0;
