-- The source's backfill was raised: its next poll chooses like a first one.
ALTER TABLE sources ADD COLUMN chooses_as_first INTEGER NOT NULL DEFAULT 0;
-- Of an entry that was never stored, only because it was older than the source and its backfill. Which of the tombstones
-- written before this are such cannot be told from those of deleted posts, so they stay as they are.
ALTER TABLE tombstones ADD COLUMN before_created INTEGER NOT NULL DEFAULT 0;
