-- Hosts that receive messages of webhooks and notifiers. Only those that failed lately, or get a test message, have a row.
CREATE TABLE receiver_hosts (
  host TEXT PRIMARY KEY,
  failures INTEGER NOT NULL,
  wait_until INTEGER,              -- null: it need not be waited for
  test_until INTEGER,              -- a test message is on its way, at most until then
  changed_at INTEGER NOT NULL
) STRICT;

-- What is on its way to a host. A claim that is over is forgotten.
ALTER TABLE deliveries ADD COLUMN claimed_host TEXT;
ALTER TABLE deliveries ADD COLUMN claimed_until INTEGER;
CREATE INDEX deliveries_claimed ON deliveries (claimed_host, claimed_until) WHERE claimed_host IS NOT NULL;
