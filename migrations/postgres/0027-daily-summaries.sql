-- The daily summaries of a user, newest first, without a look at all other events.
CREATE INDEX events_of_summaries ON events (user_id, id) WHERE type = 'summary.daily';
