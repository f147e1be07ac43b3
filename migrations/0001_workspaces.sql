-- Workspaces, people, teams, products, API keys and settings.

CREATE TABLE IF NOT EXISTS subscriptions (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
);

CREATE TRIGGER IF NOT EXISTS subscriptions_begun AFTER INSERT ON subscriptions
BEGIN
  INSERT INTO settings (subscription_id, updated_at) VALUES (NEW.id, NEW.created_at);
  INSERT INTO feedback_statuses (
    subscription_id, position, name, slug, color, ends_voting, progress, created_at, updated_at
  )
  SELECT NEW.id, column1, column2, replace(column2, ' ', '-'), column3, column4, column5, NEW.created_at, NEW.created_at
  FROM (
    VALUES (1, 'open', '#64748b', 0, NULL),
      (2, 'under review', '#0ea5e9', 0, NULL),
      (3, 'planned', '#6366f1', 0, 'to-do'),
      (4, 'in progress', '#f59e0b', 0, 'in-progress'),
      (5, 'completed', '#22c55e', 1, 'done'),
      (6, 'declined', '#ef4444', 1, NULL),
      (7, 'duplicate', '#a1a1aa', 1, NULL)
  );
END;

CREATE TRIGGER IF NOT EXISTS subscriptions_kept AFTER INSERT ON subscriptions
BEGIN
  INSERT INTO log_keeping (subscription_id, next_look_at) VALUES (NEW.id, NEW.created_at);
END;

-- One row for each workspace, from the beginning.
CREATE TABLE IF NOT EXISTS settings (
  subscription_id INTEGER NOT NULL,
  feedback TEXT NOT NULL DEFAULT '{"moderation":false}',
  version INTEGER NOT NULL DEFAULT 1,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS users (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  email TEXT NOT NULL,
  first_name TEXT NOT NULL DEFAULT '',
  last_name TEXT NOT NULL DEFAULT '',
  role TEXT NOT NULL,
  attributes TEXT NOT NULL DEFAULT '{}',
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  version INTEGER NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX IF NOT EXISTS users_email ON users (subscription_id, email);
CREATE INDEX IF NOT EXISTS users_created ON users (subscription_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS users_owners ON users (subscription_id) WHERE role = 'owner' AND deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS users_removed ON users (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS users_heavy ON users (subscription_id) WHERE octet_length(attributes) > 40000;

CREATE TRIGGER IF NOT EXISTS users_search_insert AFTER INSERT ON users
BEGIN
  INSERT INTO search_people (rowid, scope, title, body)
  VALUES (
    NEW.id * 16 + 2, 's' || NEW.subscription_id || 'k2', NEW.first_name || ' ' || NEW.last_name, NEW.email
  );
END;

CREATE TRIGGER IF NOT EXISTS users_search_update AFTER UPDATE OF first_name, last_name, email ON users
WHEN OLD.first_name <> NEW.first_name OR OLD.last_name <> NEW.last_name OR OLD.email <> NEW.email
BEGIN
  DELETE FROM search_people WHERE rowid = OLD.id * 16 + 2;
  INSERT INTO search_people (rowid, scope, title, body)
  VALUES (
    NEW.id * 16 + 2, 's' || NEW.subscription_id || 'k2', NEW.first_name || ' ' || NEW.last_name, NEW.email
  );
END;

CREATE TRIGGER IF NOT EXISTS users_search_delete AFTER DELETE ON users
BEGIN
  DELETE FROM search_people WHERE rowid = OLD.id * 16 + 2;
END;

-- A person who is added again starts without segments and teams. A restore leaves updated_at alone.
CREATE TRIGGER IF NOT EXISTS users_revived AFTER UPDATE OF deleted_at ON users
WHEN OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL AND NEW.updated_at <> OLD.updated_at
BEGIN
  DELETE FROM detachments
  WHERE subscription_id = NEW.subscription_id
    AND kind = 'segment_member'
    AND removed_id = NEW.id;
  DELETE FROM team_members WHERE subscription_id = NEW.subscription_id AND user_id = NEW.id;
END;

CREATE TABLE IF NOT EXISTS teams (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  color TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  version INTEGER NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX IF NOT EXISTS teams_name ON teams (subscription_id, name) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS teams_created ON teams (subscription_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS teams_removed ON teams (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TRIGGER IF NOT EXISTS teams_search_insert AFTER INSERT ON teams
BEGIN
  INSERT INTO search (rowid, scope, title, body)
  VALUES (NEW.id * 16 + 1, 's' || NEW.subscription_id || 'k1', NEW.name, '');
END;

CREATE TRIGGER IF NOT EXISTS teams_search_update AFTER UPDATE OF name ON teams
BEGIN
  DELETE FROM search WHERE rowid = OLD.id * 16 + 1;
  INSERT INTO search (rowid, scope, title, body)
  VALUES (NEW.id * 16 + 1, 's' || NEW.subscription_id || 'k1', NEW.name, '');
END;

CREATE TRIGGER IF NOT EXISTS teams_search_delete AFTER DELETE ON teams
BEGIN
  DELETE FROM search WHERE rowid = OLD.id * 16 + 1;
END;

CREATE TABLE IF NOT EXISTS team_members (
  subscription_id INTEGER NOT NULL,
  team_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, team_id, user_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS team_members_user ON team_members (subscription_id, user_id);

CREATE TABLE IF NOT EXISTS team_products (
  subscription_id INTEGER NOT NULL,
  team_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, team_id, product_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS team_products_product ON team_products (subscription_id, product_id);

CREATE TABLE IF NOT EXISTS products (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  external_key TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT,
  color TEXT,
  status TEXT NOT NULL DEFAULT 'active',
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE UNIQUE INDEX IF NOT EXISTS products_key ON products (subscription_id, external_key);
CREATE INDEX IF NOT EXISTS products_created ON products (subscription_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS products_removed ON products (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE IF NOT EXISTS api_keys (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  jti TEXT NOT NULL,
  user_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  scopes TEXT NOT NULL,
  products TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at INTEGER,
  issued_by INTEGER,
  delegated INTEGER NOT NULL DEFAULT 0, -- 1: somebody else may know the token
  rotated_by INTEGER, -- key that made this key by rotation
  first_issued_by INTEGER -- key that made the first key of the rotations
);
CREATE UNIQUE INDEX IF NOT EXISTS api_keys_jti ON api_keys (subscription_id, jti);
CREATE INDEX IF NOT EXISTS api_keys_created ON api_keys (subscription_id, created_at, id);
CREATE INDEX IF NOT EXISTS api_keys_issued ON api_keys (subscription_id, issued_by) WHERE issued_by IS NOT NULL;
CREATE INDEX IF NOT EXISTS api_keys_rotated ON api_keys (subscription_id, rotated_by) WHERE rotated_by IS NOT NULL;
CREATE INDEX IF NOT EXISTS api_keys_first_issued ON api_keys (subscription_id, first_issued_by)
  WHERE first_issued_by IS NOT NULL;

-- References cleared by a removal, for a later restore.
CREATE TABLE IF NOT EXISTS detachments (
  subscription_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  removed_id INTEGER NOT NULL,
  holder_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, kind, removed_id, holder_id)
) WITHOUT ROWID;
