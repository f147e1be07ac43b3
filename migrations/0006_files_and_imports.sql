-- Uploaded files (bytes in R2, under object_key) and import runs.

CREATE TABLE IF NOT EXISTS assets (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  object_key TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT,
  size INTEGER NOT NULL, -- bytes
  mime TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  used_at TEXT NOT NULL DEFAULT '',
  artifact_id INTEGER, -- last work item with the file
  status TEXT NOT NULL DEFAULT 'active',
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE UNIQUE INDEX IF NOT EXISTS assets_object ON assets (subscription_id, object_key);
CREATE INDEX IF NOT EXISTS assets_created ON assets (product_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS assets_removed ON assets (deleted_at) WHERE deleted_at IS NOT NULL;

-- Files attached to records other than work items.
CREATE TABLE IF NOT EXISTS attachments (
  subscription_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  holder_id INTEGER NOT NULL,
  asset_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, kind, holder_id, asset_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS attachments_asset ON attachments (subscription_id, asset_id);

CREATE TABLE IF NOT EXISTS imports (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  reference TEXT NOT NULL, -- random, names the run in the batch that creates it
  kind TEXT NOT NULL,
  area TEXT NOT NULL,
  product_id INTEGER, -- NULL for the whole workspace
  segment_id INTEGER,
  status TEXT NOT NULL,
  file_name TEXT NOT NULL,
  file_type TEXT NOT NULL,
  object_key TEXT,
  on_conflict TEXT NOT NULL,
  mapping TEXT NOT NULL,
  header TEXT NOT NULL,
  user_id INTEGER NOT NULL,
  total INTEGER NOT NULL,
  done INTEGER NOT NULL DEFAULT 0,
  created INTEGER NOT NULL DEFAULT 0,
  updated INTEGER NOT NULL DEFAULT 0,
  rejected INTEGER NOT NULL DEFAULT 0,
  kept INTEGER NOT NULL DEFAULT 0,
  problem TEXT,
  next_attempt_at INTEGER, -- NULL without work for the queue or the cron
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  finished_at INTEGER,
  version INTEGER NOT NULL DEFAULT 1,
  invite_url TEXT,
  limited INTEGER NOT NULL DEFAULT 0 -- 1: run of a key that is limited to products, which creates no members
);
CREATE UNIQUE INDEX IF NOT EXISTS imports_reference ON imports (subscription_id, reference);
CREATE INDEX IF NOT EXISTS imports_created ON imports (subscription_id, created_at, id);
CREATE INDEX IF NOT EXISTS imports_product ON imports (subscription_id, product_id, created_at, id);
CREATE INDEX IF NOT EXISTS imports_due ON imports (subscription_id, next_attempt_at)
  WHERE status IN ('pending', 'running', 'undoing');
CREATE INDEX IF NOT EXISTS imports_ended ON imports (next_attempt_at)
  WHERE next_attempt_at IS NOT NULL AND status NOT IN ('pending', 'running', 'undoing');
CREATE INDEX IF NOT EXISTS imports_object ON imports (subscription_id, object_key) WHERE object_key IS NOT NULL;

-- The outcome of each row that a run did not skip.
CREATE TABLE IF NOT EXISTS import_rows (
  subscription_id INTEGER NOT NULL,
  import_id INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  row INTEGER NOT NULL,
  record_id INTEGER,
  previous TEXT,
  version INTEGER,
  joined INTEGER NOT NULL DEFAULT 0,
  parent_row INTEGER, -- row of the parent in the same file
  field TEXT,
  value TEXT,
  reason TEXT,
  cells TEXT,
  PRIMARY KEY (subscription_id, import_id, outcome, row)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS import_rows_record ON import_rows (subscription_id, record_id) WHERE record_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS import_rows_parent ON import_rows (subscription_id, import_id, parent_row)
  WHERE parent_row IS NOT NULL;
