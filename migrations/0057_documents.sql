CREATE TABLE document_templates (
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
CREATE INDEX document_templates_created ON document_templates (subscription_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX document_templates_category ON document_templates (subscription_id, category, created_at, id) WHERE deleted_at IS NULL AND category IS NOT NULL;
CREATE INDEX document_templates_removed ON document_templates (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX document_templates_heavy ON document_templates (subscription_id) WHERE octet_length(content) + octet_length(variables) > 40000;

CREATE TABLE documents (
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
CREATE UNIQUE INDEX documents_key ON documents (subscription_id, external_key);
CREATE INDEX documents_created ON documents (product_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX documents_template ON documents (subscription_id, template_id) WHERE template_id IS NOT NULL;
CREATE INDEX documents_removed ON documents (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX documents_heavy ON documents (subscription_id) WHERE octet_length(content) > 40000;

-- Their words, kind 7 in the search index: those between the tags of the first 20,000 characters.
CREATE TRIGGER documents_search_insert AFTER INSERT ON documents BEGIN INSERT INTO search (rowid, scope, title, body) VALUES (NEW.id * 16 + 7, 's' || NEW.subscription_id || 'k7 p' || NEW.product_id || 'k7', NEW.title, NEW.external_key || ' ' || CASE WHEN NEW.content = '' THEN '' ELSE (SELECT group_concat(substr(value, instr(value, '>') + 1), ' ') FROM json_each('[' || replace(json_quote(substr(NEW.content, 1, 20000)), '<', '","') || ']')) END); END;
CREATE TRIGGER documents_search_update AFTER UPDATE OF title, content ON documents WHEN OLD.title IS NOT NEW.title OR OLD.content IS NOT NEW.content BEGIN DELETE FROM search WHERE rowid = OLD.id * 16 + 7; INSERT INTO search (rowid, scope, title, body) VALUES (NEW.id * 16 + 7, 's' || NEW.subscription_id || 'k7 p' || NEW.product_id || 'k7', NEW.title, NEW.external_key || ' ' || CASE WHEN NEW.content = '' THEN '' ELSE (SELECT group_concat(substr(value, instr(value, '>') + 1), ' ') FROM json_each('[' || replace(json_quote(substr(NEW.content, 1, 20000)), '<', '","') || ']')) END); END;
CREATE TRIGGER documents_search_delete AFTER DELETE ON documents BEGIN DELETE FROM search WHERE rowid = OLD.id * 16 + 7; END;
