-- Whether a host's latest poll was a good one: what an outage of our own is told by.
ALTER TABLE hosts ADD COLUMN last_poll_ok SMALLINT NOT NULL DEFAULT 0;
-- When the last visit ended: the gap before the next one is counted from here.
ALTER TABLE hosts ADD COLUMN last_completed_at BIGINT;
CREATE INDEX hosts_good ON hosts (lane) WHERE last_poll_ok = 1;

-- What was asked of a lane in an hour (hours since 1970): politeness is read off it.
CREATE TABLE lane_hours (
  lane TEXT COLLATE "C" NOT NULL,
  hour BIGINT NOT NULL,
  requests BIGINT NOT NULL,
  conditional BIGINT NOT NULL,
  not_modified BIGINT NOT NULL,
  throttled BIGINT NOT NULL,
  failures BIGINT NOT NULL,
  bytes BIGINT NOT NULL,
  smallest_gap_ms BIGINT,
  PRIMARY KEY (lane, hour)
);
CREATE INDEX lane_hours_by_hour ON lane_hours (hour);
