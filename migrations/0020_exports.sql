-- Exports of whole workspaces. The bytes are in R2, under object_key.

CREATE TABLE IF NOT EXISTS exports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  subscription_id INTEGER NOT NULL,
  kind TEXT NOT NULL DEFAULT 'export', -- export, backup
  status TEXT NOT NULL DEFAULT 'queued',
  include TEXT NOT NULL DEFAULT '[]', -- JSON array of files, events
  object_key TEXT NOT NULL,
  kept_for INTEGER NOT NULL, -- milliseconds after the completion
  step INTEGER NOT NULL DEFAULT 0,
  position TEXT, -- JSON, the last key that the present step has read
  archive TEXT, -- JSON, the state of the ZIP file, while bytes exist
  progress INTEGER NOT NULL DEFAULT 0,
  record_count INTEGER NOT NULL DEFAULT 0,
  file_count INTEGER NOT NULL DEFAULT 0,
  event_count INTEGER NOT NULL DEFAULT 0,
  size INTEGER, -- bytes
  problem TEXT,
  attempts INTEGER NOT NULL DEFAULT 0, -- since the last progress
  next_attempt_at INTEGER, -- for the queue, and after the end for the cron
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  finished_at INTEGER,
  expires_at INTEGER,
  version INTEGER NOT NULL DEFAULT 1
);
CREATE INDEX IF NOT EXISTS exports_created ON exports (subscription_id, created_at, id);
CREATE INDEX IF NOT EXISTS exports_due ON exports (subscription_id, next_attempt_at)
  WHERE status IN ('queued', 'running');
CREATE INDEX IF NOT EXISTS exports_ended ON exports (next_attempt_at)
  WHERE next_attempt_at IS NOT NULL AND status NOT IN ('queued', 'running');
CREATE UNIQUE INDEX IF NOT EXISTS exports_object ON exports (subscription_id, object_key);

-- Entries of the ZIP file of an export, for its manifest and its directory.
CREATE TABLE IF NOT EXISTS export_entries (
  subscription_id INTEGER NOT NULL,
  export_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  path TEXT NOT NULL,
  position INTEGER NOT NULL, -- bytes before the entry
  size INTEGER NOT NULL,
  packed_size INTEGER NOT NULL,
  crc32 INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  deflated INTEGER NOT NULL,
  row_count INTEGER, -- records of an NDJSON file
  PRIMARY KEY (subscription_id, export_id, number)
) WITHOUT ROWID;

-- One row for each workspace, from the beginning.
CREATE TABLE IF NOT EXISTS backup_schedule (
  subscription_id INTEGER NOT NULL,
  next_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS backup_schedule_due ON backup_schedule (next_at);

INSERT INTO backup_schedule (subscription_id, next_at) SELECT id, 0 FROM subscriptions WHERE true ON CONFLICT DO NOTHING;

CREATE TRIGGER IF NOT EXISTS subscriptions_scheduled AFTER INSERT ON subscriptions
BEGIN
  INSERT INTO backup_schedule (subscription_id, next_at) VALUES (NEW.id, 0);
END;

-- An export reads all rows of a workspace, also removed rows. The condition is always true, and keeps the planner from
-- these indexes in all other statements.
CREATE INDEX IF NOT EXISTS feedback_statuses_tenant ON feedback_statuses (subscription_id, id) WHERE id > 0;
CREATE INDEX IF NOT EXISTS feedback_categories_tenant ON feedback_categories (subscription_id, id) WHERE id > 0;
CREATE INDEX IF NOT EXISTS tags_tenant ON tags (subscription_id, id) WHERE id > 0;
CREATE INDEX IF NOT EXISTS teams_tenant ON teams (subscription_id, id) WHERE id > 0;
CREATE INDEX IF NOT EXISTS story_maps_tenant ON story_maps (subscription_id, id) WHERE id > 0;
CREATE INDEX IF NOT EXISTS segments_tenant ON segments (subscription_id, id) WHERE id > 0;
CREATE INDEX IF NOT EXISTS persona_board_segments_tenant ON persona_board_segments (subscription_id, id) WHERE id > 0;
CREATE INDEX IF NOT EXISTS persona_custom_fields_tenant ON persona_custom_fields (subscription_id, id) WHERE id > 0;
CREATE INDEX IF NOT EXISTS persona_summaries_tenant ON persona_summaries (subscription_id, id) WHERE id > 0;
CREATE INDEX IF NOT EXISTS document_templates_tenant ON document_templates (subscription_id, id) WHERE id > 0;
CREATE INDEX IF NOT EXISTS work_item_comments_tenant ON work_item_comments (subscription_id, id) WHERE id > 0;
