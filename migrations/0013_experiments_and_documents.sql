-- Experiments, documents and document templates.

CREATE TABLE IF NOT EXISTS experiments (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  external_key TEXT NOT NULL,
  title TEXT NOT NULL,
  hypothesis TEXT,
  method TEXT,
  success_criteria TEXT,
  target_value INTEGER, -- hundredths
  actual_value INTEGER, -- hundredths
  status TEXT NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'running', 'stopped')),
  result TEXT CHECK (result IN ('validated', 'invalidated', 'inconclusive')),
  decision TEXT CHECK (decision IN ('persevere', 'pivot', 'stop')),
  learnings TEXT,
  kpi_id INTEGER,
  opportunity_id INTEGER,
  started_at INTEGER,
  stopped_at INTEGER,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE UNIQUE INDEX IF NOT EXISTS experiments_key ON experiments (subscription_id, external_key);
CREATE INDEX IF NOT EXISTS experiments_created ON experiments (product_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS experiments_status ON experiments (product_id, status, created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS experiments_kpi ON experiments (subscription_id, kpi_id) WHERE kpi_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS experiments_opportunity ON experiments (subscription_id, opportunity_id)
  WHERE opportunity_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS experiments_removed ON experiments (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS experiments_heavy ON experiments (subscription_id)
  WHERE coalesce(octet_length(hypothesis), 0) + coalesce(octet_length(method), 0) + coalesce(
    octet_length(success_criteria), 0
  ) + coalesce(octet_length(learnings), 0) > 40000;

CREATE TABLE IF NOT EXISTS experiment_personas (
  subscription_id INTEGER NOT NULL,
  experiment_id INTEGER NOT NULL,
  persona_id INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, experiment_id, persona_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS experiment_personas_persona
  ON experiment_personas (subscription_id, persona_id, created_at, experiment_id);

CREATE TABLE IF NOT EXISTS experiment_work_items (
  subscription_id INTEGER NOT NULL,
  experiment_id INTEGER NOT NULL,
  work_item_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, experiment_id, work_item_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS experiment_work_items_item ON experiment_work_items (subscription_id, work_item_id);

CREATE TABLE IF NOT EXISTS documents (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  external_key TEXT NOT NULL,
  title TEXT NOT NULL,
  content TEXT NOT NULL DEFAULT '',
  template_id INTEGER,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE UNIQUE INDEX IF NOT EXISTS documents_key ON documents (subscription_id, external_key);
CREATE INDEX IF NOT EXISTS documents_created ON documents (product_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS documents_template ON documents (subscription_id, template_id)
  WHERE template_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS documents_removed ON documents (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS documents_heavy ON documents (subscription_id) WHERE octet_length(content) > 40000;

CREATE TRIGGER IF NOT EXISTS documents_search_insert AFTER INSERT ON documents
BEGIN
  INSERT INTO search (rowid, scope, title, body)
  VALUES (
    NEW.id * 16 + 7, 's' || NEW.subscription_id || 'k7 p' || NEW.product_id || 'k7', NEW.title,
    NEW.external_key || ' ' || iif(
      NEW.content = '', '',
      (
        SELECT group_concat(substr(value, instr(value, '>') + 1), ' ')
        FROM json_each('[' || replace(json_quote(substr(NEW.content, 1, 20000)), '<', '","') || ']')
      )
    )
  );
END;

CREATE TRIGGER IF NOT EXISTS documents_search_update AFTER UPDATE OF title, content ON documents
WHEN OLD.title IS NOT NEW.title OR OLD.content IS NOT NEW.content
BEGIN
  DELETE FROM search WHERE rowid = OLD.id * 16 + 7;
  INSERT INTO search (rowid, scope, title, body)
  VALUES (
    NEW.id * 16 + 7, 's' || NEW.subscription_id || 'k7 p' || NEW.product_id || 'k7', NEW.title,
    NEW.external_key || ' ' || iif(
      NEW.content = '', '',
      (
        SELECT group_concat(substr(value, instr(value, '>') + 1), ' ')
        FROM json_each('[' || replace(json_quote(substr(NEW.content, 1, 20000)), '<', '","') || ']')
      )
    )
  );
END;

CREATE TRIGGER IF NOT EXISTS documents_search_delete AFTER DELETE ON documents
BEGIN
  DELETE FROM search WHERE rowid = OLD.id * 16 + 7;
END;

CREATE TABLE IF NOT EXISTS document_templates (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  title TEXT NOT NULL,
  category TEXT,
  content TEXT NOT NULL DEFAULT '',
  variables TEXT NOT NULL DEFAULT '[]',
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE INDEX IF NOT EXISTS document_templates_created ON document_templates (subscription_id, created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS document_templates_category
  ON document_templates (subscription_id, category, created_at, id)
  WHERE deleted_at IS NULL AND category IS NOT NULL;
CREATE INDEX IF NOT EXISTS document_templates_removed ON document_templates (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS document_templates_heavy ON document_templates (subscription_id)
  WHERE octet_length(content) + octet_length(variables) > 40000;
