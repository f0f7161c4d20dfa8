-- Whether somebody gave the source its interval, or it has the configured one and follows that.
ALTER TABLE sources ADD COLUMN has_own_interval INTEGER NOT NULL DEFAULT 1;
