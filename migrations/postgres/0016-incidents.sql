-- A day's summary reads incidents only, not the events of every poll. The condition is the one that the query has.
CREATE INDEX events_of_incidents ON events (at, id) WHERE type IN ('source.disabled', 'source.enabled', 'source.quiet', 'source.active', 'source.gap', 'host.opened', 'host.closed', 'outage.started', 'outage.ended');
