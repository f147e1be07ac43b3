-- Maps of the stories of a product: steps below activities, crossed by swimlanes, and the stories as their cards.
CREATE TABLE story_maps (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  title TEXT NOT NULL,
  description TEXT,
  -- Activities, steps and swimlanes together, and cards: kept by the triggers below.
  part_count INTEGER NOT NULL DEFAULT 0,
  card_count INTEGER NOT NULL DEFAULT 0,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE INDEX story_maps_created ON story_maps (product_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX story_maps_removed ON story_maps (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX story_maps_heavy ON story_maps (subscription_id) WHERE coalesce(octet_length(description), 0) > 40000;

CREATE TABLE story_map_activities (
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
CREATE INDEX story_map_activities_rank ON story_map_activities (subscription_id, story_map_id, rank);

CREATE TABLE story_map_steps (
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
CREATE INDEX story_map_steps_rank ON story_map_steps (subscription_id, story_map_id, activity_id, rank);

CREATE TABLE story_map_swimlanes (
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
CREATE INDEX story_map_swimlanes_rank ON story_map_swimlanes (subscription_id, story_map_id, rank);
CREATE INDEX story_map_swimlanes_version ON story_map_swimlanes (subscription_id, solution_version_id) WHERE solution_version_id IS NOT NULL;

-- A card is there while its story is: what removes, converts or restores a story writes nothing here.
CREATE TABLE story_map_cards (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  story_map_id INTEGER NOT NULL,
  step_id INTEGER NOT NULL,
  swimlane_id INTEGER,
  work_item_id INTEGER NOT NULL,
  rank TEXT NOT NULL
);
CREATE UNIQUE INDEX story_map_cards_story ON story_map_cards (subscription_id, work_item_id, story_map_id);
CREATE INDEX story_map_cards_rank ON story_map_cards (subscription_id, story_map_id, step_id, rank);
CREATE INDEX story_map_cards_swimlane ON story_map_cards (subscription_id, swimlane_id) WHERE swimlane_id IS NOT NULL;

CREATE TRIGGER story_map_activities_counted AFTER INSERT ON story_map_activities BEGIN UPDATE story_maps SET part_count = part_count + 1 WHERE id = NEW.story_map_id; END;
CREATE TRIGGER story_map_activities_uncounted AFTER DELETE ON story_map_activities BEGIN UPDATE story_maps SET part_count = part_count - 1 WHERE id = OLD.story_map_id; END;
CREATE TRIGGER story_map_steps_counted AFTER INSERT ON story_map_steps BEGIN UPDATE story_maps SET part_count = part_count + 1 WHERE id = NEW.story_map_id; END;
CREATE TRIGGER story_map_steps_uncounted AFTER DELETE ON story_map_steps BEGIN UPDATE story_maps SET part_count = part_count - 1 WHERE id = OLD.story_map_id; END;
CREATE TRIGGER story_map_swimlanes_counted AFTER INSERT ON story_map_swimlanes BEGIN UPDATE story_maps SET part_count = part_count + 1 WHERE id = NEW.story_map_id; END;
CREATE TRIGGER story_map_swimlanes_uncounted AFTER DELETE ON story_map_swimlanes BEGIN UPDATE story_maps SET part_count = part_count - 1 WHERE id = OLD.story_map_id; END;
CREATE TRIGGER story_map_cards_counted AFTER INSERT ON story_map_cards BEGIN UPDATE story_maps SET card_count = card_count + 1 WHERE id = NEW.story_map_id; END;
CREATE TRIGGER story_map_cards_uncounted AFTER DELETE ON story_map_cards BEGIN UPDATE story_maps SET card_count = card_count - 1 WHERE id = OLD.story_map_id; END;
