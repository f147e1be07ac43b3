-- Ids of changelog entries in the system that they were imported from.

ALTER TABLE changelog_entries ADD COLUMN source TEXT;
ALTER TABLE changelog_entries ADD COLUMN external_id TEXT;
CREATE INDEX IF NOT EXISTS changelog_entries_external_id ON changelog_entries (subscription_id, source, external_id)
  WHERE external_id IS NOT NULL;
