-- Posts get marks for the blocks of ids they belong to, so that a search ends where it should; for the words of the title,
-- and for single characters of scripts without spaces. Stored posts are indexed anew in the background, the newest first.
-- Every search reads what waits to be put into the index. A short list costs indexing a fifth more than the usual 4 MB.
TRUNCATE posts_text;
ALTER INDEX posts_by_word SET (gin_pending_list_limit = 512);
UPDATE counters SET value = settled_id('posts') WHERE name IN ('search-backlog', 'searchable');
