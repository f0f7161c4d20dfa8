-- SQLite has one writer, so nobody waits for a row of counts, and it compresses nothing.
SELECT 1;
