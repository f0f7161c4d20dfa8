-- The newest event that clean-up removed: a listener that stands before it has missed some. The ids themselves change on
-- PostgreSQL only.
INSERT INTO counters (name, value)
  SELECT 'removed-events', COALESCE((SELECT min(id) - 1 FROM events), (SELECT value FROM counters WHERE name = 'events'));

-- Asked for each poll that found nothing: whether anybody wants to hear of it.
CREATE INDEX webhooks_of_polls ON webhooks (id) WHERE disabled_at IS NULL AND types LIKE '%poll.finished%';
