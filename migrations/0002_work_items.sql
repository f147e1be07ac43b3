-- Epics, features and user stories are one table: they move, convert and are listed together.

CREATE TABLE work_items (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('epic', 'feature', 'userstory')),
  external_key TEXT NOT NULL,
  epic_id INTEGER,
  feature_id INTEGER,
  rank TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'active',
  summary TEXT NOT NULL,
  color TEXT NOT NULL DEFAULT '',
  progress TEXT NOT NULL DEFAULT 'to-do',
  progress_percentage INTEGER NOT NULL DEFAULT 0,
  first_child TEXT NOT NULL DEFAULT '',
  backlog INTEGER NOT NULL DEFAULT 1,
  description TEXT NOT NULL DEFAULT '',
  business_goal TEXT NOT NULL DEFAULT '',
  personas TEXT NOT NULL DEFAULT '[]',
  team_id INTEGER,
  user_ids TEXT NOT NULL DEFAULT '[]',
  start_date INTEGER,
  end_date INTEGER,
  tags TEXT NOT NULL DEFAULT '[]',
  urls TEXT NOT NULL DEFAULT '[]',
  jira_id TEXT NOT NULL DEFAULT '',
  jira_key TEXT NOT NULL DEFAULT '',
  external_progress TEXT NOT NULL DEFAULT '',
  estimate TEXT NOT NULL DEFAULT '',
  business_value TEXT NOT NULL DEFAULT '',
  story_point TEXT NOT NULL DEFAULT '',
  remaining_time TEXT NOT NULL DEFAULT '',
  score INTEGER NOT NULL DEFAULT 0, -- hundredths
  scoring TEXT,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE UNIQUE INDEX work_items_key ON work_items (subscription_id, external_key);
CREATE INDEX work_items_created ON work_items (product_id, type, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX work_items_epic ON work_items (subscription_id, epic_id) WHERE epic_id IS NOT NULL;
CREATE INDEX work_items_feature ON work_items (subscription_id, feature_id) WHERE feature_id IS NOT NULL;

CREATE TABLE work_item_files (
  subscription_id INTEGER NOT NULL,
  work_item_id INTEGER NOT NULL,
  asset_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, work_item_id, asset_id)
) WITHOUT ROWID;
CREATE INDEX work_item_files_asset ON work_item_files (subscription_id, asset_id);

CREATE TABLE work_item_kpis (
  subscription_id INTEGER NOT NULL,
  work_item_id INTEGER NOT NULL,
  kpi_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, work_item_id, kpi_id)
) WITHOUT ROWID;
CREATE INDEX work_item_kpis_kpi ON work_item_kpis (subscription_id, kpi_id);
