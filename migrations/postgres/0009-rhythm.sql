-- How a source publishes: what its interval is learned from, and whether it has gone quiet.
ALTER TABLE sources ADD COLUMN adaptive SMALLINT NOT NULL DEFAULT 0;
ALTER TABLE sources ADD COLUMN rhythm TEXT;
ALTER TABLE sources ADD COLUMN learned_interval_minutes INTEGER;
ALTER TABLE sources ADD COLUMN quiet_since BIGINT;
CREATE INDEX sources_quiet ON sources (quiet_since) WHERE quiet_since IS NOT NULL;

-- Whether entries may have come and gone before the poll.
ALTER TABLE polls ADD COLUMN gap SMALLINT NOT NULL DEFAULT 0;
