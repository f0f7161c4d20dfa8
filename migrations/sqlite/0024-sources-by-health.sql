-- The sources of each rare health, in the order of lists. They replace indexes that knew no order.
DROP INDEX sources_failing;
DROP INDEX sources_disabled;
CREATE INDEX sources_failing ON sources (podcast_id, created_at, id) WHERE enabled = 1 AND consecutive_failures > 0;
CREATE INDEX sources_disabled ON sources (podcast_id, created_at, id) WHERE enabled = 0;
CREATE INDEX sources_new ON sources (podcast_id, created_at, id)
  WHERE enabled = 1 AND consecutive_failures = 0 AND last_succeeded_at IS NULL;
CREATE INDEX sources_quiet_in_order ON sources (podcast_id, created_at, id)
  WHERE enabled = 1 AND consecutive_failures = 0 AND last_succeeded_at IS NOT NULL AND quiet_since IS NOT NULL;
