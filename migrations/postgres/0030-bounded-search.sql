-- The search index changes on SQLite only.
SELECT 1;
