-- Whether a host's latest poll was a good one: what an outage of our own is told by.
ALTER TABLE hosts ADD COLUMN last_poll_ok INTEGER NOT NULL DEFAULT 0;
-- When the last visit ended: the gap before the next one is counted from here.
ALTER TABLE hosts ADD COLUMN last_completed_at INTEGER;
CREATE INDEX hosts_good ON hosts (lane) WHERE last_poll_ok = 1;

-- What was asked of a lane in an hour (hours since 1970): politeness is read off it.
CREATE TABLE lane_hours (
  lane TEXT NOT NULL,
  hour INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  conditional INTEGER NOT NULL,
  not_modified INTEGER NOT NULL,
  throttled INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  smallest_gap_ms INTEGER,
  PRIMARY KEY (lane, hour)
) STRICT, WITHOUT ROWID;
CREATE INDEX lane_hours_by_hour ON lane_hours (hour);
