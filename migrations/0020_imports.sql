CREATE TABLE imports (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  -- Random: how the batch that makes a run names it.
  reference TEXT NOT NULL,
  kind TEXT NOT NULL,
  -- Whose keys see it, like segments.
  area TEXT NOT NULL,
  -- NULL: it is the whole workspace's.
  product_id INTEGER,
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
  -- When the queue or the cron has something to do for it.
  next_attempt_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  finished_at INTEGER,
  version INTEGER NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX imports_reference ON imports (subscription_id, reference);
CREATE INDEX imports_created ON imports (subscription_id, created_at, id);
CREATE INDEX imports_product ON imports (subscription_id, product_id, created_at, id);
CREATE INDEX imports_due ON imports (next_attempt_at) WHERE next_attempt_at IS NOT NULL;

-- What became of the rows that a run did not skip.
CREATE TABLE import_rows (
  subscription_id INTEGER NOT NULL,
  import_id INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  row INTEGER NOT NULL,
  record_id INTEGER,
  previous TEXT,
  version INTEGER,
  joined INTEGER NOT NULL DEFAULT 0,
  -- The row of the same file that it hangs on.
  parent_row INTEGER,
  field TEXT,
  value TEXT,
  reason TEXT,
  cells TEXT,
  PRIMARY KEY (subscription_id, import_id, outcome, row)
) WITHOUT ROWID;
CREATE INDEX import_rows_record ON import_rows (subscription_id, record_id) WHERE record_id IS NOT NULL;
CREATE INDEX import_rows_parent ON import_rows (subscription_id, import_id, parent_row) WHERE parent_row IS NOT NULL;
