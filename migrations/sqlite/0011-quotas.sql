-- Until when the spacing of a lane follows a quota that its host stated, and what it said.
ALTER TABLE hosts ADD COLUMN quota_until INTEGER;
ALTER TABLE hosts ADD COLUMN quota_reason TEXT;
