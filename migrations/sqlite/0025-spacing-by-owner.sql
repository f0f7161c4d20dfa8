-- What the spacing of a lane is made of. delay_type: the source type whose configured delay it is. spaced_for: the owner
-- whose source had a delay of its own at the last visit; others may ask from others_not_before on. held_owners: owners who
-- wait longer still, because of an earlier visit. limited_requests: what sources of users without admin rights asked lately.
ALTER TABLE hosts ADD COLUMN delay_type TEXT;
ALTER TABLE hosts ADD COLUMN spaced_for TEXT;
ALTER TABLE hosts ADD COLUMN others_not_before INTEGER;
ALTER TABLE hosts ADD COLUMN held_owners TEXT;
ALTER TABLE hosts ADD COLUMN limited_requests TEXT;
