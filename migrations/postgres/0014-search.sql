-- Searches for phrases, for words of the title and for posts of a source need positions, weights and the source. Two
-- neighbouring characters of scripts without spaces are words. Stored posts are indexed anew in the background, the
-- newest first.
TRUNCATE posts_text;
INSERT INTO counters (name, value) SELECT 'search-backlog', value FROM counters WHERE name = 'posts';
UPDATE counters SET value = (SELECT value FROM counters WHERE name = 'posts') WHERE name = 'searchable';
