-- The columns of the persona board.
CREATE TABLE persona_board_segments (
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
CREATE INDEX persona_board_segments_name ON persona_board_segments (subscription_id, name) WHERE deleted_at IS NULL;
CREATE INDEX persona_board_segments_order ON persona_board_segments (subscription_id, "order", id) WHERE deleted_at IS NULL;
CREATE INDEX persona_board_segments_removed ON persona_board_segments (deleted_at) WHERE deleted_at IS NOT NULL;

-- What a workspace wants to know of personas besides. An archived field is a removed one.
CREATE TABLE persona_custom_fields (
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
CREATE INDEX persona_custom_fields_name ON persona_custom_fields (subscription_id, name) WHERE deleted_at IS NULL;
CREATE INDEX persona_custom_fields_order ON persona_custom_fields (subscription_id, "order", id) WHERE deleted_at IS NULL;
CREATE INDEX persona_custom_fields_removed ON persona_custom_fields (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE persona_custom_options (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  field_id INTEGER NOT NULL,
  label TEXT NOT NULL
);
CREATE INDEX persona_custom_options_field ON persona_custom_options (subscription_id, field_id, id);

-- A row for each field that a persona has; its value is JSON, or NULL while it has none.
CREATE TABLE persona_custom_values (
  subscription_id INTEGER NOT NULL,
  persona_id INTEGER NOT NULL,
  field_id INTEGER NOT NULL,
  value TEXT,
  PRIMARY KEY (subscription_id, persona_id, field_id)
) WITHOUT ROWID;
CREATE INDEX persona_custom_values_field ON persona_custom_values (subscription_id, field_id, persona_id);

ALTER TABLE personas ADD COLUMN avatar TEXT;
ALTER TABLE personas ADD COLUMN board_segment_id INTEGER;
CREATE INDEX personas_board_segment ON personas (subscription_id, board_segment_id, created_at, id) WHERE deleted_at IS NULL AND board_segment_id IS NOT NULL;
