-- The rank that a write makes for what it places, while its batch is at work.
CREATE TABLE placements (
  subscription_id INTEGER NOT NULL,
  rank TEXT NOT NULL,
  PRIMARY KEY (subscription_id)
) WITHOUT ROWID;
-- Parts and cards of story maps are ordered by ranks as items are, which the write itself makes.
UPDATE story_map_activities SET rank = printf('k1%010d', o.n) FROM (SELECT id, row_number() OVER (PARTITION BY story_map_id ORDER BY rank, id) AS n FROM story_map_activities) o WHERE story_map_activities.id = o.id;
UPDATE story_map_steps SET rank = printf('k1%010d', o.n) FROM (SELECT id, row_number() OVER (PARTITION BY activity_id ORDER BY rank, id) AS n FROM story_map_steps) o WHERE story_map_steps.id = o.id;
UPDATE story_map_swimlanes SET rank = printf('k1%010d', o.n) FROM (SELECT id, row_number() OVER (PARTITION BY story_map_id ORDER BY rank, id) AS n FROM story_map_swimlanes) o WHERE story_map_swimlanes.id = o.id;
UPDATE story_map_cards SET rank = printf('k1%010d', o.n) FROM (SELECT id, row_number() OVER (PARTITION BY step_id ORDER BY rank, id) AS n FROM story_map_cards) o WHERE story_map_cards.id = o.id;
