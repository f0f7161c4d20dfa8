-- What a row sends: messages for programs ('webhook'), or words for people. Their target stands with the secrets, and
-- `url` has what may be shown of it.
ALTER TABLE webhooks ADD COLUMN kind TEXT NOT NULL DEFAULT 'webhook';
