-- Ids of posts, articles and events come from sequences, so that writers do not wait for each other. Ids are not taken in
-- commit order then. A writer holds a lock of its own, named after the newest id at that moment, until its transaction
-- ends, and readers that follow go no further than the lowest of these locks: see src/storage/database/next-ids.ts.
CREATE SEQUENCE posts_ids MINVALUE 0 START 1 OWNED BY posts.id;
CREATE SEQUENCE articles_ids MINVALUE 0 START 1 OWNED BY articles.id;
CREATE SEQUENCE events_ids MINVALUE 0 START 1 OWNED BY events.id;
SELECT setval((name || '_ids')::regclass, value) FROM counters WHERE name IN ('posts', 'articles', 'events');

-- The lock's key: 16 bits for the kind, 48 for the id.
CREATE FUNCTION id_lock(kind TEXT, id BIGINT) RETURNS BIGINT LANGUAGE sql IMMUTABLE AS $$
  SELECT (CASE kind WHEN 'posts' THEN 29801 WHEN 'articles' THEN 29802 ELSE 29803 END)::bigint << 48 | id
$$;

CREATE FUNCTION newest_id(kind TEXT) RETURNS BIGINT LANGUAGE sql VOLATILE AS $$
  SELECT COALESCE(pg_sequence_last_value((kind || '_ids')::regclass), 0)
$$;

-- Each step sees what happened before it: the lock comes before the ids that it stands for.
CREATE FUNCTION take_ids(kind TEXT, how_many INTEGER) RETURNS BIGINT[] LANGUAGE plpgsql VOLATILE AS $$
DECLARE ids BIGINT[];
BEGIN
  PERFORM pg_advisory_xact_lock_shared(id_lock(kind, newest_id(kind)));
  SELECT array_agg(nextval((kind || '_ids')::regclass)) INTO ids FROM generate_series(1, how_many);
  RETURN ids;
END $$;

-- Every id up to this one is visible to the next statement, or never will be.
CREATE FUNCTION settled_id(kind TEXT) RETURNS BIGINT LANGUAGE plpgsql VOLATILE AS $$
DECLARE newest BIGINT; lowest BIGINT;
BEGIN
  newest := newest_id(kind);
  SELECT min((classid::bigint << 32 | objid::bigint) - id_lock(kind, 0)) INTO lowest FROM pg_locks
    WHERE locktype = 'advisory' AND objsubid = 1 AND classid::bigint >> 16 = id_lock(kind, 0) >> 48
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database());
  RETURN LEAST(newest, lowest);
END $$;

-- The newest event that clean-up removed: a listener that stands before it has missed some.
INSERT INTO counters (name, value)
  SELECT 'removed-events', COALESCE((SELECT min(id) - 1 FROM events), (SELECT value FROM counters WHERE name = 'events'));

-- A process of an earlier version must not take ids from here any more: without the rows it fails instead.
DELETE FROM counters WHERE name IN ('posts', 'articles', 'events');

-- Asked for each poll that found nothing: whether anybody wants to hear of it.
CREATE INDEX webhooks_of_polls ON webhooks (id) WHERE disabled_at IS NULL AND types LIKE '%poll.finished%';
