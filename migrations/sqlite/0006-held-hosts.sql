-- Several processes: the one that visits a host holds it for as long as it says that it is there, and one with a poll
-- at the head of the lane says that it waits.
ALTER TABLE hosts ADD COLUMN held_by TEXT;
ALTER TABLE hosts ADD COLUMN held_until INTEGER;
ALTER TABLE hosts ADD COLUMN wanted_by TEXT;
ALTER TABLE hosts ADD COLUMN wanted_until INTEGER;
