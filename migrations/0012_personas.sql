-- Personas, opportunities, the persona board and its custom fields.

CREATE TABLE IF NOT EXISTS personas (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  product_id INTEGER,
  external_key TEXT NOT NULL,
  name TEXT NOT NULL,
  occupation TEXT,
  quote TEXT,
  description TEXT,
  color TEXT,
  goals TEXT NOT NULL DEFAULT '[]',
  pains TEXT NOT NULL DEFAULT '[]',
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  avatar TEXT,
  board_segment_id INTEGER
);
CREATE UNIQUE INDEX IF NOT EXISTS personas_key ON personas (subscription_id, external_key);
CREATE INDEX IF NOT EXISTS personas_created ON personas (subscription_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS personas_removed ON personas (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS personas_product ON personas (subscription_id, product_id, created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS personas_heavy ON personas (subscription_id)
  WHERE coalesce(octet_length(description), 0) + octet_length(goals) + octet_length(pains) > 40000;
CREATE INDEX IF NOT EXISTS personas_board_segment ON personas (subscription_id, board_segment_id, created_at, id)
  WHERE deleted_at IS NULL AND board_segment_id IS NOT NULL;

CREATE TRIGGER IF NOT EXISTS personas_search_insert AFTER INSERT ON personas
BEGIN
  INSERT INTO search (rowid, scope, title, body)
  VALUES (
    NEW.id * 16 + 4,
    's' || NEW.subscription_id || 'k4 ' || iif(
      NEW.product_id IS NULL, 's' || NEW.subscription_id || 'k4n', 'p' || NEW.product_id || 'k4'
    ),
    NEW.name,
    NEW.external_key || ' ' || coalesce(NEW.occupation, '') || ' ' || coalesce(NEW.quote, '') || ' ' || iif(
      coalesce(NEW.description, '') = '',
      '',
      (
        SELECT group_concat(substr(value, instr(value, '>') + 1), ' ')
        FROM json_each(
          '[' || replace(json_quote(substr(NEW.description, 1, 20000)), '<', '","') || ']'
        )
      )
    ) || ' ' || substr(NEW.goals, 1, 20000) || ' ' || substr(NEW.pains, 1, 20000)
  );
END;

CREATE TRIGGER IF NOT EXISTS personas_search_update
AFTER UPDATE OF name, occupation, quote, description, goals, pains, product_id ON personas
WHEN OLD.name IS NOT NEW.name
  OR OLD.occupation IS NOT NEW.occupation
  OR OLD.quote IS NOT NEW.quote
  OR OLD.description IS NOT NEW.description
  OR OLD.goals IS NOT NEW.goals
  OR OLD.pains IS NOT NEW.pains
  OR OLD.product_id IS NOT NEW.product_id
BEGIN
  DELETE FROM search WHERE rowid = OLD.id * 16 + 4;
  INSERT INTO search (rowid, scope, title, body)
  VALUES (
    NEW.id * 16 + 4,
    's' || NEW.subscription_id || 'k4 ' || iif(
      NEW.product_id IS NULL, 's' || NEW.subscription_id || 'k4n', 'p' || NEW.product_id || 'k4'
    ),
    NEW.name,
    NEW.external_key || ' ' || coalesce(NEW.occupation, '') || ' ' || coalesce(NEW.quote, '') || ' ' || iif(
      coalesce(NEW.description, '') = '',
      '',
      (
        SELECT group_concat(substr(value, instr(value, '>') + 1), ' ')
        FROM json_each(
          '[' || replace(json_quote(substr(NEW.description, 1, 20000)), '<', '","') || ']'
        )
      )
    ) || ' ' || substr(NEW.goals, 1, 20000) || ' ' || substr(NEW.pains, 1, 20000)
  );
END;

CREATE TRIGGER IF NOT EXISTS personas_search_delete AFTER DELETE ON personas
BEGIN
  DELETE FROM search WHERE rowid = OLD.id * 16 + 4;
END;

CREATE TABLE IF NOT EXISTS persona_summaries (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  persona_id INTEGER NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('pain', 'gain', 'job', 'note')),
  text TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE INDEX IF NOT EXISTS persona_summaries_persona
  ON persona_summaries (subscription_id, persona_id, created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS persona_summaries_removed ON persona_summaries (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS persona_summaries_heavy ON persona_summaries (subscription_id)
  WHERE octet_length(text) > 40000;

CREATE TABLE IF NOT EXISTS persona_documentation (
  subscription_id INTEGER NOT NULL,
  persona_id INTEGER NOT NULL,
  title TEXT NOT NULL DEFAULT '',
  content TEXT NOT NULL DEFAULT '',
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, persona_id)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS opportunities (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  product_id INTEGER,
  persona_id INTEGER NOT NULL,
  summary_id INTEGER NOT NULL,
  external_key TEXT NOT NULL,
  summary TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  color TEXT NOT NULL DEFAULT '',
  spread TEXT NOT NULL DEFAULT '',
  intensity TEXT NOT NULL DEFAULT '',
  progress TEXT NOT NULL DEFAULT 'to-do',
  status TEXT NOT NULL DEFAULT 'active',
  team_id INTEGER,
  "order" INTEGER NOT NULL,
  plan_order INTEGER NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE UNIQUE INDEX IF NOT EXISTS opportunities_key ON opportunities (subscription_id, external_key);
CREATE INDEX IF NOT EXISTS opportunities_removed ON opportunities (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS opportunities_persona ON opportunities (subscription_id, persona_id, created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS opportunities_heavy ON opportunities (subscription_id)
  WHERE octet_length(description) > 40000;

CREATE TABLE IF NOT EXISTS persona_board_segments (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  color TEXT,
  "order" INTEGER NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE INDEX IF NOT EXISTS persona_board_segments_name ON persona_board_segments (subscription_id, name)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS persona_board_segments_order ON persona_board_segments (subscription_id, "order", id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS persona_board_segments_removed ON persona_board_segments (deleted_at)
  WHERE deleted_at IS NOT NULL;

CREATE TABLE IF NOT EXISTS persona_custom_fields (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('text', 'textarea', 'number', 'date', 'url', 'boolean', 'select', 'multiselect')),
  required INTEGER NOT NULL DEFAULT 0,
  "order" INTEGER NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE INDEX IF NOT EXISTS persona_custom_fields_name ON persona_custom_fields (subscription_id, name)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS persona_custom_fields_order ON persona_custom_fields (subscription_id, "order", id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS persona_custom_fields_removed ON persona_custom_fields (deleted_at)
  WHERE deleted_at IS NOT NULL;

CREATE TABLE IF NOT EXISTS persona_custom_options (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  field_id INTEGER NOT NULL,
  label TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS persona_custom_options_field ON persona_custom_options (subscription_id, field_id, id);

-- One row for each field of a persona. The value is JSON, or NULL.
CREATE TABLE IF NOT EXISTS persona_custom_values (
  subscription_id INTEGER NOT NULL,
  persona_id INTEGER NOT NULL,
  field_id INTEGER NOT NULL,
  value TEXT,
  PRIMARY KEY (subscription_id, persona_id, field_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS persona_custom_values_field
  ON persona_custom_values (subscription_id, field_id, persona_id);
