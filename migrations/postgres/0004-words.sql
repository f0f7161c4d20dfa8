-- Words are found and folded by the program, alike on both engines, so the index cannot be an expression over posts: it
-- is a table beside them that is filled behind the polls, up to this counter, once somebody has searched.
DROP INDEX posts_text;
CREATE TABLE posts_text (
  post_id BIGINT PRIMARY KEY REFERENCES posts (id) ON DELETE CASCADE,
  words TSVECTOR NOT NULL
);
CREATE INDEX posts_by_word ON posts_text USING gin (words);
INSERT INTO counters (name, value) VALUES ('searchable', 0);
