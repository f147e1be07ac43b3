-- Versions of a product, and the work items that they bring.
CREATE TABLE solution_versions (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  external_key TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT,
  status TEXT NOT NULL DEFAULT 'planned' CHECK (status IN ('planned', 'in-progress', 'released', 'archived')),
  start_date INTEGER,
  release_date INTEGER,
  -- Once it has one, it can only be archived.
  released_at INTEGER,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE UNIQUE INDEX solution_versions_key ON solution_versions (subscription_id, external_key);
CREATE INDEX solution_versions_created ON solution_versions (product_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX solution_versions_release ON solution_versions (product_id, release_date, id) WHERE deleted_at IS NULL;
CREATE INDEX solution_versions_removed ON solution_versions (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX solution_versions_heavy ON solution_versions (subscription_id) WHERE coalesce(octet_length(description), 0) > 40000;

CREATE TABLE solution_version_items (
  subscription_id INTEGER NOT NULL,
  solution_version_id INTEGER NOT NULL,
  work_item_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, solution_version_id, work_item_id)
) WITHOUT ROWID;
CREATE INDEX solution_version_items_item ON solution_version_items (subscription_id, work_item_id);
