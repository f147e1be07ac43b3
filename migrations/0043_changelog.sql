-- The changelog: entries that tell users what is new, with the ideas and versions that they are about.

CREATE TABLE IF NOT EXISTS changelog_entries (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  product_id INTEGER, -- NULL for an entry of all products
  external_key TEXT NOT NULL,
  title TEXT NOT NULL,
  content TEXT NOT NULL DEFAULT '',
  labels TEXT NOT NULL DEFAULT '[]', -- JSON array of texts
  cover_id INTEGER, -- an asset
  status TEXT NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'scheduled', 'published')),
  publish_at INTEGER, -- only while scheduled
  published_at INTEGER, -- only while published
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE UNIQUE INDEX IF NOT EXISTS changelog_entries_key ON changelog_entries (subscription_id, external_key);
CREATE INDEX IF NOT EXISTS changelog_entries_created ON changelog_entries (subscription_id, created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS changelog_entries_published ON changelog_entries (subscription_id, published_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS changelog_entries_updated ON changelog_entries (subscription_id, updated_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS changelog_entries_status ON changelog_entries (subscription_id, status, created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS changelog_entries_product
  ON changelog_entries (subscription_id, product_id, created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS changelog_entries_product_status
  ON changelog_entries (subscription_id, product_id, status, created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS changelog_entries_product_published
  ON changelog_entries (subscription_id, product_id, published_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS changelog_entries_cover ON changelog_entries (subscription_id, cover_id)
  WHERE cover_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS changelog_entries_due ON changelog_entries (subscription_id, publish_at, id)
  WHERE status = 'scheduled' AND deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS changelog_entries_removed ON changelog_entries (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS changelog_entries_removed_list ON changelog_entries (subscription_id, deleted_at)
  WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS changelog_entries_heavy ON changelog_entries (subscription_id)
  WHERE octet_length(content) > 40000;

CREATE TABLE IF NOT EXISTS changelog_ideas (
  subscription_id INTEGER NOT NULL,
  changelog_entry_id INTEGER NOT NULL,
  feedback_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, changelog_entry_id, feedback_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS changelog_ideas_idea ON changelog_ideas (subscription_id, feedback_id);

CREATE TABLE IF NOT EXISTS changelog_versions (
  subscription_id INTEGER NOT NULL,
  changelog_entry_id INTEGER NOT NULL,
  solution_version_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, changelog_entry_id, solution_version_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS changelog_versions_version ON changelog_versions (subscription_id, solution_version_id);

-- Kind 8 of the search index. The scope of an entry of all products ends with n.
CREATE TRIGGER IF NOT EXISTS changelog_entries_search_insert AFTER INSERT ON changelog_entries
BEGIN
  INSERT INTO search (rowid, scope, title, body)
  VALUES (
    NEW.id * 16 + 8,
    's' || NEW.subscription_id || 'k8 ' || iif(
      NEW.product_id IS NULL, 's' || NEW.subscription_id || 'k8n', 'p' || NEW.product_id || 'k8'
    ),
    NEW.title,
    NEW.external_key || ' ' || NEW.labels || ' ' || iif(
      NEW.content = '', '',
      (
        SELECT group_concat(substr(value, instr(value, '>') + 1), ' ')
        FROM json_each('[' || replace(json_quote(substr(NEW.content, 1, 20000)), '<', '","') || ']')
      )
    )
  );
END;

CREATE TRIGGER IF NOT EXISTS changelog_entries_search_update
AFTER UPDATE OF title, content, labels, product_id ON changelog_entries
WHEN OLD.title IS NOT NEW.title
  OR OLD.content IS NOT NEW.content
  OR OLD.labels IS NOT NEW.labels
  OR OLD.product_id IS NOT NEW.product_id
BEGIN
  DELETE FROM search WHERE rowid = OLD.id * 16 + 8;
  INSERT INTO search (rowid, scope, title, body)
  VALUES (
    NEW.id * 16 + 8,
    's' || NEW.subscription_id || 'k8 ' || iif(
      NEW.product_id IS NULL, 's' || NEW.subscription_id || 'k8n', 'p' || NEW.product_id || 'k8'
    ),
    NEW.title,
    NEW.external_key || ' ' || NEW.labels || ' ' || iif(
      NEW.content = '', '',
      (
        SELECT group_concat(substr(value, instr(value, '>') + 1), ' ')
        FROM json_each('[' || replace(json_quote(substr(NEW.content, 1, 20000)), '<', '","') || ']')
      )
    )
  );
END;

CREATE TRIGGER IF NOT EXISTS changelog_entries_search_delete AFTER DELETE ON changelog_entries
BEGIN
  DELETE FROM search WHERE rowid = OLD.id * 16 + 8;
END;
