-- When a source failed permanently last, and when that disabled it: whether a whole host fails, and what to enable again.
ALTER TABLE sources ADD COLUMN last_permanent_at BIGINT;
ALTER TABLE sources ADD COLUMN auto_disabled_at BIGINT;
CREATE INDEX sources_by_permanent_failure ON sources (lane, last_permanent_at) WHERE last_permanent_at IS NOT NULL;
-- What was auto-disabled is asked again now and then.
CREATE INDEX sources_to_recheck ON sources (last_polled) WHERE enabled = 0 AND disabled_reason IS NOT NULL;
