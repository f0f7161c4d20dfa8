-- The host that a person typed, where the stored address is what that led to.
ALTER TABLE sources ADD COLUMN typed_host TEXT;
