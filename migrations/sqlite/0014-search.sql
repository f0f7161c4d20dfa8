-- Searches for phrases, for words of the title and for posts of a source need more than a list of words. Two neighbouring
-- characters of scripts without spaces are words. Stored posts are indexed anew in the background, the newest first.
DROP TABLE posts_text;
CREATE VIRTUAL TABLE posts_text USING fts5 (
  title, words, source, content = '', contentless_delete = 1,
  tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* Co'"
);
INSERT INTO posts_text (posts_text, rank) VALUES ('automerge', 0), ('crisismerge', 1000);
INSERT INTO counters (name, value) SELECT 'search-backlog', value FROM counters WHERE name = 'posts';
UPDATE counters SET value = (SELECT value FROM counters WHERE name = 'posts') WHERE name = 'searchable';
