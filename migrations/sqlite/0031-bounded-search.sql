-- The search index changes on PostgreSQL only.
SELECT 1;
