-- Uploaded files: the record here, the bytes in R2 under `object_key`.
CREATE TABLE assets (
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
  artifact_id INTEGER, -- the work item it was last attached to
  status TEXT NOT NULL DEFAULT 'active',
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE UNIQUE INDEX assets_object ON assets (subscription_id, object_key);
CREATE INDEX assets_created ON assets (product_id, created_at, id) WHERE deleted_at IS NULL;
