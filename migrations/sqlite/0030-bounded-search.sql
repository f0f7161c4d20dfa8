-- Posts get marks for the blocks of ids they belong to, so that a search ends where it should; for the source, the words
-- of the title, and single characters of scripts without spaces. The program splits texts into words, so the tokenizer
-- only splits at spaces. Fewer and larger merges cost less. Stored posts are indexed anew in the background, the newest
-- first.
DROP TABLE posts_text;
CREATE VIRTUAL TABLE posts_text USING fts5 (
  title, words, marks, content = '', contentless_delete = 1, tokenize = ascii
);
INSERT INTO posts_text (posts_text, rank) VALUES ('automerge', 0), ('crisismerge', 1000), ('usermerge', 16);
UPDATE counters SET value = (SELECT value FROM counters WHERE name = 'posts') WHERE name IN ('search-backlog', 'searchable');
