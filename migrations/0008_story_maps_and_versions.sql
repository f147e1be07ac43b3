-- Story maps with activities, steps, swimlanes and cards, and solution versions with their items.

CREATE TABLE IF NOT EXISTS story_maps (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  title TEXT NOT NULL,
  description TEXT,
  part_count INTEGER NOT NULL DEFAULT 0, -- activities, steps and swimlanes, counted by triggers
  card_count INTEGER NOT NULL DEFAULT 0, -- counted by triggers
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE INDEX IF NOT EXISTS story_maps_created ON story_maps (product_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS story_maps_removed ON story_maps (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS story_maps_heavy ON story_maps (subscription_id)
  WHERE coalesce(octet_length(description), 0) > 40000;

CREATE TABLE IF NOT EXISTS story_map_activities (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  story_map_id INTEGER NOT NULL,
  title TEXT NOT NULL,
  color TEXT,
  rank TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS story_map_activities_rank ON story_map_activities (subscription_id, story_map_id, rank);

CREATE TRIGGER IF NOT EXISTS story_map_activities_counted AFTER INSERT ON story_map_activities
BEGIN
  UPDATE story_maps SET part_count = part_count + 1 WHERE id = NEW.story_map_id;
END;

CREATE TRIGGER IF NOT EXISTS story_map_activities_uncounted AFTER DELETE ON story_map_activities
BEGIN
  UPDATE story_maps SET part_count = part_count - 1 WHERE id = OLD.story_map_id;
END;

CREATE TABLE IF NOT EXISTS story_map_steps (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  story_map_id INTEGER NOT NULL,
  activity_id INTEGER NOT NULL,
  title TEXT NOT NULL,
  color TEXT,
  rank TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS story_map_steps_rank ON story_map_steps (subscription_id, story_map_id, activity_id, rank);

CREATE TRIGGER IF NOT EXISTS story_map_steps_counted AFTER INSERT ON story_map_steps
BEGIN
  UPDATE story_maps SET part_count = part_count + 1 WHERE id = NEW.story_map_id;
END;

CREATE TRIGGER IF NOT EXISTS story_map_steps_uncounted AFTER DELETE ON story_map_steps
BEGIN
  UPDATE story_maps SET part_count = part_count - 1 WHERE id = OLD.story_map_id;
END;

CREATE TABLE IF NOT EXISTS story_map_swimlanes (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  story_map_id INTEGER NOT NULL,
  title TEXT NOT NULL,
  solution_version_id INTEGER,
  rank TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS story_map_swimlanes_rank ON story_map_swimlanes (subscription_id, story_map_id, rank);
CREATE INDEX IF NOT EXISTS story_map_swimlanes_version ON story_map_swimlanes (subscription_id, solution_version_id)
  WHERE solution_version_id IS NOT NULL;

CREATE TRIGGER IF NOT EXISTS story_map_swimlanes_counted AFTER INSERT ON story_map_swimlanes
BEGIN
  UPDATE story_maps SET part_count = part_count + 1 WHERE id = NEW.story_map_id;
END;

CREATE TRIGGER IF NOT EXISTS story_map_swimlanes_uncounted AFTER DELETE ON story_map_swimlanes
BEGIN
  UPDATE story_maps SET part_count = part_count - 1 WHERE id = OLD.story_map_id;
END;

CREATE TABLE IF NOT EXISTS story_map_cards (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  story_map_id INTEGER NOT NULL,
  step_id INTEGER NOT NULL,
  swimlane_id INTEGER,
  work_item_id INTEGER NOT NULL,
  rank TEXT NOT NULL
);
CREATE UNIQUE INDEX IF NOT EXISTS story_map_cards_story
  ON story_map_cards (subscription_id, work_item_id, story_map_id);
CREATE INDEX IF NOT EXISTS story_map_cards_rank ON story_map_cards (subscription_id, story_map_id, step_id, rank);
CREATE INDEX IF NOT EXISTS story_map_cards_swimlane ON story_map_cards (subscription_id, swimlane_id)
  WHERE swimlane_id IS NOT NULL;

CREATE TRIGGER IF NOT EXISTS story_map_cards_counted AFTER INSERT ON story_map_cards
BEGIN
  UPDATE story_maps SET card_count = card_count + 1 WHERE id = NEW.story_map_id;
END;

CREATE TRIGGER IF NOT EXISTS story_map_cards_uncounted AFTER DELETE ON story_map_cards
BEGIN
  UPDATE story_maps SET card_count = card_count - 1 WHERE id = OLD.story_map_id;
END;

CREATE TABLE IF NOT EXISTS solution_versions (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  external_key TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT,
  status TEXT NOT NULL DEFAULT 'planned' CHECK (status IN ('planned', 'in-progress', 'released', 'archived')),
  start_date INTEGER,
  release_date INTEGER,
  released_at INTEGER, -- a released version can only be archived
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE UNIQUE INDEX IF NOT EXISTS solution_versions_key ON solution_versions (subscription_id, external_key);
CREATE INDEX IF NOT EXISTS solution_versions_created ON solution_versions (product_id, created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS solution_versions_release ON solution_versions (product_id, release_date, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS solution_versions_removed ON solution_versions (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS solution_versions_heavy ON solution_versions (subscription_id)
  WHERE coalesce(octet_length(description), 0) > 40000;

CREATE TABLE IF NOT EXISTS solution_version_items (
  subscription_id INTEGER NOT NULL,
  solution_version_id INTEGER NOT NULL,
  work_item_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, solution_version_id, work_item_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS solution_version_items_item ON solution_version_items (subscription_id, work_item_id);
