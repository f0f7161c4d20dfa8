-- Hosts that receive messages of webhooks and notifiers. Only those that failed lately, or get a test message, have a row.
CREATE TABLE receiver_hosts (
  host TEXT COLLATE "C" PRIMARY KEY,
  failures INTEGER NOT NULL,
  wait_until BIGINT,               -- null: it need not be waited for
  test_until BIGINT,               -- a test message is on its way, at most until then
  changed_at BIGINT NOT NULL
);

-- What is on its way to a host. A claim that is over is forgotten.
ALTER TABLE deliveries ADD COLUMN claimed_host TEXT COLLATE "C";
ALTER TABLE deliveries ADD COLUMN claimed_until BIGINT;
CREATE INDEX deliveries_claimed ON deliveries (claimed_host, claimed_until) WHERE claimed_host IS NOT NULL;
