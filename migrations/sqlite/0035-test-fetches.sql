-- When a user without admin rights caused the test fetches of the last minute: a list of instants. All processes count
-- together, and so do those before and after a restart.
ALTER TABLE users ADD COLUMN test_fetches TEXT NOT NULL DEFAULT '[]';
