-- Epics, features and user stories share a table, because an item can be converted.

CREATE TABLE IF NOT EXISTS work_items (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('epic', 'feature', 'userstory')),
  external_key TEXT NOT NULL,
  epic_id INTEGER,
  feature_id INTEGER,
  rank TEXT NOT NULL, -- fractional index in base 62
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
  deleted_at INTEGER,
  attributes TEXT NOT NULL DEFAULT '{}',
  business_value_number REAL GENERATED ALWAYS AS (
    iif(business_value = '', NULL, CAST(business_value AS REAL))
  ) VIRTUAL,
  -- millionths
  points INTEGER GENERATED ALWAYS AS (
    iif(
      trim(iif(type = 'userstory', story_point, estimate)) GLOB '*[0-9]*'
        AND trim(iif(type = 'userstory', story_point, estimate)) NOT GLOB '*[^0-9.]*'
        AND iif(type = 'userstory', story_point, estimate) NOT GLOB '*.*.*',
      CAST(round(min(CAST(iif(type = 'userstory', story_point, estimate) AS REAL), 1000000) * 1000000) AS INTEGER),
      0
    )
  ) VIRTUAL
);
CREATE UNIQUE INDEX IF NOT EXISTS work_items_key ON work_items (subscription_id, external_key);
CREATE INDEX IF NOT EXISTS work_items_created ON work_items (product_id, type, created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS work_items_epic ON work_items (subscription_id, epic_id) WHERE epic_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS work_items_feature ON work_items (subscription_id, feature_id)
  WHERE feature_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS work_items_team ON work_items (subscription_id, team_id) WHERE team_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS work_items_removed ON work_items (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS work_items_heavy ON work_items (subscription_id)
  WHERE octet_length(description) + octet_length(business_goal) + octet_length(personas)
    + octet_length(tags) + octet_length(urls) + octet_length(attributes) > 40000;
CREATE INDEX IF NOT EXISTS work_items_rank ON work_items (product_id, type, rank, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS work_items_updated ON work_items (product_id, type, updated_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS work_items_score ON work_items (product_id, type, score, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS work_items_value ON work_items (product_id, type, business_value_number, id)
  WHERE deleted_at IS NULL AND business_value_number IS NOT NULL;
CREATE INDEX IF NOT EXISTS work_items_start ON work_items (product_id, type, start_date, id)
  WHERE deleted_at IS NULL AND start_date IS NOT NULL;
CREATE INDEX IF NOT EXISTS work_items_end ON work_items (product_id, type, end_date, id)
  WHERE deleted_at IS NULL AND end_date IS NOT NULL;
CREATE INDEX IF NOT EXISTS work_items_jira_key ON work_items (product_id, jira_key) WHERE jira_key <> '';
CREATE INDEX IF NOT EXISTS work_items_jira_id ON work_items (product_id, jira_id) WHERE jira_id <> '';
CREATE INDEX IF NOT EXISTS work_items_removed_rank ON work_items (product_id, type, rank, id)
  WHERE deleted_at IS NOT NULL;

CREATE TRIGGER IF NOT EXISTS work_items_recounted AFTER UPDATE OF deleted_at ON work_items
WHEN (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL)
BEGIN
  UPDATE tags
  SET usage_count = usage_count + iif(NEW.deleted_at IS NULL, 1, -1)
  WHERE product_id = NEW.product_id
    AND deleted_at IS NULL
    AND slug IN (
      SELECT slug
      FROM work_item_tags
      WHERE subscription_id = NEW.subscription_id
        AND work_item_id = NEW.id
    );
END;

CREATE TRIGGER IF NOT EXISTS work_items_search_insert AFTER INSERT ON work_items
BEGIN
  INSERT INTO search (rowid, scope, title, body)
  VALUES (
    NEW.id * 16 + 5, 's' || NEW.subscription_id || 'k5 p' || NEW.product_id || NEW.type, NEW.summary,
    NEW.external_key || ' ' || NEW.jira_key || ' ' || NEW.tags || ' ' || iif(
      NEW.description = '', '',
      (
        SELECT group_concat(substr(value, instr(value, '>') + 1), ' ')
        FROM json_each(
          '[' || replace(json_quote(substr(NEW.description, 1, 20000)), '<', '","') || ']'
        )
      )
    )
  );
END;

CREATE TRIGGER IF NOT EXISTS work_items_search_update
AFTER UPDATE OF summary, description, tags, jira_key, external_key, type ON work_items
WHEN OLD.summary <> NEW.summary
  OR OLD.description <> NEW.description
  OR OLD.tags <> NEW.tags
  OR OLD.jira_key <> NEW.jira_key
  OR OLD.external_key <> NEW.external_key
  OR OLD.type <> NEW.type
BEGIN
  DELETE FROM search WHERE rowid = OLD.id * 16 + 5;
  INSERT INTO search (rowid, scope, title, body)
  VALUES (
    NEW.id * 16 + 5, 's' || NEW.subscription_id || 'k5 p' || NEW.product_id || NEW.type, NEW.summary,
    NEW.external_key || ' ' || NEW.jira_key || ' ' || NEW.tags || ' ' || iif(
      NEW.description = '', '',
      (
        SELECT group_concat(substr(value, instr(value, '>') + 1), ' ')
        FROM json_each(
          '[' || replace(json_quote(substr(NEW.description, 1, 20000)), '<', '","') || ']'
        )
      )
    )
  );
END;

CREATE TRIGGER IF NOT EXISTS work_items_search_delete AFTER DELETE ON work_items
BEGIN
  DELETE FROM search WHERE rowid = OLD.id * 16 + 5;
END;

-- The progress of a work item sets the status of the ideas that were promoted to it.
CREATE TRIGGER IF NOT EXISTS work_items_progress_followed AFTER UPDATE OF progress ON work_items
WHEN NEW.progress IS NOT OLD.progress
  AND EXISTS (
    SELECT 1
    FROM feedback_items
    WHERE subscription_id = NEW.subscription_id
      AND work_item_id = NEW.id
      AND deleted_at IS NULL
  )
BEGIN
  UPDATE feedback_items
  SET status_id = s.id, updated_at = NEW.updated_at, version = feedback_items.version + 1
  FROM (
    SELECT id
    FROM feedback_statuses
    WHERE subscription_id = NEW.subscription_id
      AND progress = NEW.progress
      AND deleted_at IS NULL
    ORDER BY position, id
    LIMIT 1
  ) s
  WHERE feedback_items.subscription_id = NEW.subscription_id
    AND feedback_items.work_item_id = NEW.id
    AND feedback_items.deleted_at IS NULL
    AND feedback_items.status_id IS NOT s.id;
END;

CREATE TRIGGER IF NOT EXISTS work_items_restored_kpis AFTER UPDATE OF deleted_at ON work_items
WHEN OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL
BEGIN
  UPDATE kpis
  SET linked = 1
  WHERE linked = 0
    AND id IN (
      SELECT kpi_id
      FROM work_item_kpis
      WHERE subscription_id = OLD.subscription_id
        AND work_item_id = OLD.id
    );
END;

CREATE TRIGGER IF NOT EXISTS work_items_removed_kpis AFTER UPDATE OF deleted_at ON work_items
WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL
BEGIN
  UPDATE kpis
  SET linked = 0
  WHERE linked = 1
    AND id IN (
      SELECT kpi_id
      FROM work_item_kpis
      WHERE subscription_id = OLD.subscription_id
        AND work_item_id = OLD.id
    )
    AND (
      SELECT l.work_item_id
      FROM work_item_kpis l
      CROSS JOIN work_items w
        ON w.id = l.work_item_id
        AND w.deleted_at IS NULL
      WHERE l.subscription_id = kpis.subscription_id
        AND l.kpi_id = kpis.id
      ORDER BY l.work_item_id DESC
      LIMIT 1
    ) IS NULL;
END;

CREATE TRIGGER IF NOT EXISTS work_items_rolled_up_insert AFTER INSERT ON work_items
WHEN NEW.deleted_at IS NULL AND coalesce(NEW.epic_id, NEW.feature_id) IS NOT NULL
BEGIN
  INSERT INTO work_item_rollups
  SELECT NEW.subscription_id, parent, 1, NEW.points,
    iif(NEW.progress = 'done', NEW.points, 0),
    NEW.points * percent, percent
  FROM (
    SELECT NEW.epic_id AS parent, iif(NEW.progress = 'done', 100, NEW.progress_percentage) AS percent
    UNION ALL
    SELECT NEW.feature_id, iif(NEW.progress = 'done', 100, NEW.progress_percentage)
  )
  WHERE parent IS NOT NULL
  ON CONFLICT DO UPDATE
  SET leaves = leaves + 1,
    points = points + excluded.points,
    done = done + excluded.done,
    weighted = weighted + excluded.weighted,
    percent = percent + excluded.percent;
END;

CREATE TRIGGER IF NOT EXISTS work_items_rolled_up_update
AFTER UPDATE OF type, epic_id, feature_id, deleted_at, progress, progress_percentage, story_point,
  estimate ON work_items
WHEN coalesce(OLD.epic_id, OLD.feature_id, NEW.epic_id, NEW.feature_id) IS NOT NULL
  AND (
    OLD.epic_id,
    OLD.feature_id,
    OLD.deleted_at IS NULL,
    OLD.points,
    OLD.progress = 'done',
    OLD.progress_percentage
  ) IS NOT (
    NEW.epic_id,
    NEW.feature_id,
    NEW.deleted_at IS NULL,
    NEW.points,
    NEW.progress = 'done',
    NEW.progress_percentage
  )
  AND NOT EXISTS (
    SELECT 1
    FROM work_item_rollups
    WHERE subscription_id = NEW.subscription_id
      AND work_item_id = NEW.id
      AND leaves > 0
  )
BEGIN
  INSERT INTO work_item_rollups
  SELECT NEW.subscription_id, parent,
    sum(sign),
    sum(sign * points),
    sum(sign * done),
    sum(sign * points * percent),
    sum(sign * percent)
  FROM (
    SELECT OLD.epic_id AS parent, -1 AS sign, OLD.points AS points,
      iif(OLD.progress = 'done', OLD.points, 0) AS done,
      iif(OLD.progress = 'done', 100, OLD.progress_percentage) AS percent
    WHERE OLD.deleted_at IS NULL
    UNION ALL
    SELECT OLD.feature_id, -1, OLD.points,
      iif(OLD.progress = 'done', OLD.points, 0),
      iif(OLD.progress = 'done', 100, OLD.progress_percentage)
    WHERE OLD.deleted_at IS NULL
    UNION ALL
    SELECT NEW.epic_id, 1, NEW.points,
      iif(NEW.progress = 'done', NEW.points, 0),
      iif(NEW.progress = 'done', 100, NEW.progress_percentage)
    WHERE NEW.deleted_at IS NULL
    UNION ALL
    SELECT NEW.feature_id, 1, NEW.points,
      iif(NEW.progress = 'done', NEW.points, 0),
      iif(NEW.progress = 'done', 100, NEW.progress_percentage)
    WHERE NEW.deleted_at IS NULL
  )
  WHERE parent IS NOT NULL
  GROUP BY parent
  HAVING (
    sum(sign), sum(sign * points), sum(sign * done), sum(sign * points * percent), sum(sign * percent)
  ) <> (0, 0, 0, 0, 0)
  ON CONFLICT DO UPDATE
  SET leaves = leaves + excluded.leaves,
    points = points + excluded.points,
    done = done + excluded.done,
    weighted = weighted + excluded.weighted,
    percent = percent + excluded.percent;
END;

CREATE TRIGGER IF NOT EXISTS work_items_rolled_up_delete AFTER DELETE ON work_items
BEGIN
  UPDATE work_item_rollups
  SET leaves = leaves - 1,
    points = points - OLD.points,
    done = done - iif(OLD.progress = 'done', OLD.points, 0),
    weighted = weighted - OLD.points * iif(OLD.progress = 'done', 100, OLD.progress_percentage),
    percent = percent - iif(OLD.progress = 'done', 100, OLD.progress_percentage)
  WHERE OLD.deleted_at IS NULL
    AND subscription_id = OLD.subscription_id
    AND work_item_id IN (OLD.epic_id, OLD.feature_id)
    AND NOT EXISTS (
      SELECT 1
      FROM work_item_rollups r
      WHERE r.subscription_id = OLD.subscription_id
        AND r.work_item_id = OLD.id
        AND r.leaves > 0
    );
  DELETE FROM work_item_rollups WHERE subscription_id = OLD.subscription_id AND work_item_id = OLD.id;
END;

-- Sums over the leaves below each epic and feature: stories, and features without stories. A change of a leaf writes
-- one row for each item above the leaf.
CREATE TABLE IF NOT EXISTS work_item_rollups (
  subscription_id INTEGER NOT NULL,
  work_item_id INTEGER NOT NULL,
  leaves INTEGER NOT NULL,
  points INTEGER NOT NULL, -- millionths
  done INTEGER NOT NULL,
  weighted INTEGER NOT NULL, -- points times percent
  percent INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, work_item_id)
) WITHOUT ROWID;

-- A feature is a leaf of its epic until its first story, and again after its last story.
CREATE TRIGGER IF NOT EXISTS work_item_rollups_first_leaf AFTER INSERT ON work_item_rollups
WHEN NEW.leaves > 0
BEGIN
  UPDATE work_item_rollups
  SET leaves = leaves - 1,
    points = work_item_rollups.points - f.points,
    done = done - iif(f.progress = 'done', f.points, 0),
    weighted = weighted - f.points * iif(f.progress = 'done', 100, f.progress_percentage),
    percent = percent - iif(f.progress = 'done', 100, f.progress_percentage)
  FROM work_items f
  WHERE f.id = NEW.work_item_id
    AND f.subscription_id = NEW.subscription_id
    AND f.deleted_at IS NULL
    AND work_item_rollups.subscription_id = NEW.subscription_id
    AND work_item_rollups.work_item_id = f.epic_id;
END;

CREATE TRIGGER IF NOT EXISTS work_item_rollups_leaves AFTER UPDATE OF leaves ON work_item_rollups
WHEN (OLD.leaves > 0) <> (NEW.leaves > 0)
BEGIN
  INSERT INTO work_item_rollups
  SELECT f.subscription_id, f.epic_id, sign, sign * f.points,
    sign * iif(f.progress = 'done', f.points, 0),
    sign * f.points * iif(f.progress = 'done', 100, f.progress_percentage),
    sign * iif(f.progress = 'done', 100, f.progress_percentage)
  FROM (SELECT iif(NEW.leaves > 0, -1, 1) AS sign)
  CROSS JOIN work_items f
  WHERE f.id = NEW.work_item_id
    AND f.subscription_id = NEW.subscription_id
    AND f.deleted_at IS NULL
    AND f.epic_id IS NOT NULL
  ON CONFLICT DO UPDATE
  SET leaves = leaves + excluded.leaves,
    points = points + excluded.points,
    done = done + excluded.done,
    weighted = weighted + excluded.weighted,
    percent = percent + excluded.percent;
END;

CREATE TABLE IF NOT EXISTS work_item_files (
  subscription_id INTEGER NOT NULL,
  work_item_id INTEGER NOT NULL,
  asset_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, work_item_id, asset_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS work_item_files_asset ON work_item_files (subscription_id, asset_id);

-- A KPI is linked while a work item that is not removed names the KPI. The triggers look at the newest link first.
CREATE TABLE IF NOT EXISTS work_item_kpis (
  subscription_id INTEGER NOT NULL,
  work_item_id INTEGER NOT NULL,
  kpi_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, work_item_id, kpi_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS work_item_kpis_kpi ON work_item_kpis (subscription_id, kpi_id);

CREATE TRIGGER IF NOT EXISTS work_item_kpis_linked AFTER INSERT ON work_item_kpis
BEGIN
  UPDATE kpis SET linked = 1 WHERE id = NEW.kpi_id AND linked = 0;
END;

CREATE TRIGGER IF NOT EXISTS work_item_kpis_unlinked AFTER DELETE ON work_item_kpis
BEGIN
  UPDATE kpis
  SET linked = 0
  WHERE id = OLD.kpi_id
    AND linked = 1
    AND (
      SELECT l.work_item_id
      FROM work_item_kpis l
      CROSS JOIN work_items w
        ON w.id = l.work_item_id
        AND w.deleted_at IS NULL
      WHERE l.subscription_id = OLD.subscription_id
        AND l.kpi_id = OLD.kpi_id
      ORDER BY l.work_item_id DESC
      LIMIT 1
    ) IS NULL;
END;

CREATE TABLE IF NOT EXISTS work_item_tags (
  subscription_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  slug TEXT NOT NULL,
  work_item_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, product_id, slug, work_item_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS work_item_tags_item ON work_item_tags (subscription_id, work_item_id);

CREATE TRIGGER IF NOT EXISTS work_item_tags_counted AFTER INSERT ON work_item_tags
BEGIN
  UPDATE tags
  SET usage_count = usage_count + 1
  WHERE product_id = NEW.product_id
    AND slug = NEW.slug
    AND deleted_at IS NULL;
END;

CREATE TRIGGER IF NOT EXISTS work_item_tags_uncounted AFTER DELETE ON work_item_tags
BEGIN
  UPDATE tags
  SET usage_count = usage_count - 1
  WHERE product_id = OLD.product_id
    AND slug = OLD.slug
    AND deleted_at IS NULL;
END;

-- Keys of an item from before its conversion.
CREATE TABLE IF NOT EXISTS work_item_keys (
  subscription_id INTEGER NOT NULL,
  external_key TEXT NOT NULL,
  work_item_id INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, external_key)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS work_item_keys_item ON work_item_keys (subscription_id, work_item_id);

-- Ids of items in other systems, except for Jira.
CREATE TABLE IF NOT EXISTS work_item_foreign_ids (
  subscription_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  source TEXT NOT NULL,
  foreign_id TEXT NOT NULL,
  work_item_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, product_id, source, foreign_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS work_item_foreign_ids_item ON work_item_foreign_ids (subscription_id, work_item_id);

CREATE TABLE IF NOT EXISTS work_item_links (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL, -- product of the item that got the link
  from_id INTEGER NOT NULL,
  to_id INTEGER NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('blocks', 'relates', 'duplicates')),
  created_at INTEGER NOT NULL
);
CREATE UNIQUE INDEX IF NOT EXISTS work_item_links_to ON work_item_links (subscription_id, to_id, type, from_id);
CREATE INDEX IF NOT EXISTS work_item_links_from ON work_item_links (subscription_id, from_id, type, to_id);

-- Operations of a bulk request while its batch runs. The table begins and ends empty.
CREATE TABLE IF NOT EXISTS work_item_bulk (
  subscription_id INTEGER NOT NULL,
  n INTEGER NOT NULL,
  op TEXT NOT NULL,
  type TEXT NOT NULL,
  target_id INTEGER, -- existing item
  item_id INTEGER,
  external_key TEXT,
  parent INTEGER, -- n of the operation that creates the parent
  body TEXT NOT NULL,
  problem TEXT,
  PRIMARY KEY (subscription_id, n)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS work_item_bulk_target ON work_item_bulk (subscription_id, target_id)
  WHERE target_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS work_item_bulk_parent ON work_item_bulk (subscription_id, parent, target_id)
  WHERE parent IS NOT NULL;

CREATE TABLE IF NOT EXISTS work_item_comments (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  work_item_id INTEGER NOT NULL,
  parent_id INTEGER,
  user_id INTEGER NOT NULL,
  text TEXT NOT NULL,
  is_private INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  mentions TEXT NOT NULL DEFAULT '[]',
  version INTEGER NOT NULL DEFAULT 1,
  tombstone INTEGER NOT NULL DEFAULT 0, -- 1: removed with replies, 2: text deleted for good
  removed_text TEXT
);
CREATE INDEX IF NOT EXISTS work_item_comments_thread
  ON work_item_comments (subscription_id, work_item_id, created_at, id)
  WHERE deleted_at IS NULL OR tombstone > 0;
CREATE INDEX IF NOT EXISTS work_item_comments_parent ON work_item_comments (subscription_id, parent_id)
  WHERE parent_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS work_item_comments_heavy ON work_item_comments (subscription_id)
  WHERE octet_length(text) > 40000;
CREATE INDEX IF NOT EXISTS work_item_comments_removed ON work_item_comments (deleted_at)
  WHERE deleted_at IS NOT NULL AND tombstone = 0;
CREATE INDEX IF NOT EXISTS work_item_comments_tomb_removed ON work_item_comments (deleted_at) WHERE tombstone = 1;
