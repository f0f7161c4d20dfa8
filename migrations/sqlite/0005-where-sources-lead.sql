-- Lane of the other host that a source's last poll was sent on to: it hangs on that host's breaker too.
ALTER TABLE sources ADD COLUMN leads_to TEXT;
CREATE INDEX sources_leading ON sources (leads_to, id) WHERE leads_to IS NOT NULL;
