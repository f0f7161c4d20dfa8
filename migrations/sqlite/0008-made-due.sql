-- Whether a person made the source due: it is polled even if the breaker of its host is open.
ALTER TABLE sources ADD COLUMN made_due INTEGER NOT NULL DEFAULT 0;
CREATE INDEX sources_made_due ON sources (lane, next_poll_at) WHERE made_due = 1;
