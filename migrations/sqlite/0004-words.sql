-- Words are found and folded by the program, alike on both engines: the index takes each as it comes, marks and all. What
-- was indexed before is indexed anew, once somebody searches.
DROP TABLE posts_text;
CREATE VIRTUAL TABLE posts_text USING fts5 (
  words, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* Co'"
);
INSERT INTO posts_text (posts_text, rank) VALUES ('automerge', 0), ('crisismerge', 1000);
UPDATE counters SET value = 0 WHERE name = 'searchable';
