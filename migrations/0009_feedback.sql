-- Ideas with statuses, categories, tags, votes, comments, merges and notices.

CREATE TABLE IF NOT EXISTS feedback_statuses (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  slug TEXT NOT NULL,
  color TEXT,
  position INTEGER NOT NULL,
  ends_voting INTEGER NOT NULL DEFAULT 0,
  progress TEXT, -- progress of a work item that sets the status
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE INDEX IF NOT EXISTS feedback_statuses_position ON feedback_statuses (subscription_id, position, id)
  WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX IF NOT EXISTS feedback_statuses_slug ON feedback_statuses (subscription_id, slug)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS feedback_statuses_progress ON feedback_statuses (subscription_id, progress, position, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS feedback_statuses_removed ON feedback_statuses (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE IF NOT EXISTS feedback_categories (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  description TEXT,
  slug TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  version INTEGER NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX IF NOT EXISTS feedback_categories_slug ON feedback_categories (subscription_id, slug)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS feedback_categories_removed ON feedback_categories (deleted_at)
  WHERE deleted_at IS NOT NULL;

CREATE TABLE IF NOT EXISTS feedback_items (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  external_key TEXT NOT NULL,
  type TEXT NOT NULL DEFAULT 'idea',
  slug TEXT NOT NULL,
  title TEXT NOT NULL,
  target_audience TEXT NOT NULL DEFAULT '',
  value_proposition TEXT NOT NULL DEFAULT '',
  category_id INTEGER,
  short_description TEXT,
  long_description TEXT NOT NULL DEFAULT '',
  video_url TEXT,
  icon_url TEXT,
  cover_photo_url TEXT NOT NULL DEFAULT '',
  visibility_level TEXT,
  is_voting_open INTEGER,
  voting_start_time INTEGER,
  voting_end_time INTEGER,
  is_pinned INTEGER,
  is_anonymous INTEGER,
  status_id INTEGER,
  user_id INTEGER NOT NULL,
  vote INTEGER NOT NULL DEFAULT 0, -- counted by triggers, like comment, down_vote and comment_bytes
  comment INTEGER NOT NULL DEFAULT 0,
  work_item_id INTEGER,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  comment_bytes INTEGER NOT NULL DEFAULT 0,
  merged_into INTEGER,
  down_vote INTEGER NOT NULL DEFAULT 0,
  trending INTEGER NOT NULL GENERATED ALWAYS AS (
    created_at + CAST(
      round(604800000 * sign(vote - down_vote) * log(max(abs(vote - down_vote), 1))) AS INTEGER
    )
  ) VIRTUAL,
  collections TEXT NOT NULL DEFAULT '[]',
  cover_photos TEXT NOT NULL DEFAULT '[]',
  attributes TEXT NOT NULL DEFAULT '{}'
);
CREATE UNIQUE INDEX IF NOT EXISTS feedback_items_key ON feedback_items (subscription_id, external_key);
CREATE UNIQUE INDEX IF NOT EXISTS feedback_items_slug ON feedback_items (subscription_id, slug);
CREATE INDEX IF NOT EXISTS feedback_items_removed ON feedback_items (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS feedback_items_merged ON feedback_items (subscription_id, merged_into)
  WHERE merged_into IS NOT NULL;
CREATE INDEX IF NOT EXISTS feedback_items_created ON feedback_items (subscription_id, created_at, id)
  WHERE deleted_at IS NULL AND merged_into IS NULL;
CREATE INDEX IF NOT EXISTS feedback_items_vote ON feedback_items (subscription_id, vote, id)
  WHERE deleted_at IS NULL AND merged_into IS NULL;
CREATE INDEX IF NOT EXISTS feedback_items_trending ON feedback_items (subscription_id, trending, id)
  WHERE deleted_at IS NULL AND merged_into IS NULL;
CREATE INDEX IF NOT EXISTS feedback_items_updated ON feedback_items (subscription_id, updated_at, id)
  WHERE deleted_at IS NULL AND merged_into IS NULL;
CREATE INDEX IF NOT EXISTS feedback_items_status ON feedback_items (subscription_id, status_id, created_at, id)
  WHERE status_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS feedback_items_pinned ON feedback_items (subscription_id, created_at, id)
  WHERE is_pinned = 1 AND deleted_at IS NULL AND merged_into IS NULL;
CREATE INDEX IF NOT EXISTS feedback_items_pending ON feedback_items (subscription_id, created_at, id)
  WHERE visibility_level = 'pending' AND deleted_at IS NULL AND merged_into IS NULL;
CREATE INDEX IF NOT EXISTS feedback_items_work_item ON feedback_items (subscription_id, work_item_id)
  WHERE work_item_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS feedback_items_product
  ON feedback_items (subscription_id, product_id, merged_into, created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS feedback_items_product_status ON feedback_items (product_id, status_id, created_at, id)
  WHERE status_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS feedback_items_product_pinned ON feedback_items (product_id, created_at, id)
  WHERE is_pinned = 1 AND deleted_at IS NULL AND merged_into IS NULL;
CREATE INDEX IF NOT EXISTS feedback_items_product_pending ON feedback_items (product_id, created_at, id)
  WHERE visibility_level = 'pending' AND deleted_at IS NULL AND merged_into IS NULL;
CREATE INDEX IF NOT EXISTS feedback_items_heavy ON feedback_items (subscription_id)
  WHERE octet_length(target_audience) + octet_length(value_proposition)
    + octet_length(long_description) + octet_length(attributes) > 40000;
CREATE INDEX IF NOT EXISTS feedback_items_category ON feedback_items (subscription_id, category_id, created_at, id)
  WHERE category_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS feedback_items_type ON feedback_items (subscription_id, type, created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS feedback_items_author ON feedback_items (subscription_id, user_id, created_at, id)
  WHERE deleted_at IS NULL AND is_anonymous IS NOT 1;

CREATE TRIGGER IF NOT EXISTS feedback_items_recounted AFTER UPDATE OF deleted_at ON feedback_items
WHEN (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL)
BEGIN
  UPDATE tags
  SET usage_count = usage_count + iif(NEW.deleted_at IS NULL, 1, -1)
  WHERE id IN (
    SELECT tag_id
    FROM feedback_tags
    WHERE subscription_id = NEW.subscription_id
      AND feedback_id = NEW.id
  );
END;

CREATE TRIGGER IF NOT EXISTS feedback_items_subscribed AFTER INSERT ON feedback_items
BEGIN
  INSERT INTO feedback_subscriptions (subscription_id, feedback_id, user_id, reason, created_at)
  VALUES (NEW.subscription_id, NEW.id, NEW.user_id, 'author', NEW.created_at);
END;

CREATE TRIGGER IF NOT EXISTS feedback_items_noticed AFTER UPDATE OF status_id ON feedback_items
WHEN NEW.status_id IS NOT OLD.status_id
  AND NEW.status_id IS NOT NULL
  AND NEW.deleted_at IS NULL
  AND NEW.merged_into IS NULL
  AND NOT EXISTS (
    SELECT 1 FROM feedback_statuses WHERE id = OLD.status_id AND deleted_at IS NOT NULL
  )
BEGIN
  INSERT INTO feedback_notices (subscription_id, feedback_id, status_id, created_at)
  VALUES (NEW.subscription_id, NEW.id, NEW.status_id, NEW.updated_at);
END;

CREATE TRIGGER IF NOT EXISTS feedback_items_search_insert AFTER INSERT ON feedback_items
BEGIN
  INSERT INTO search (rowid, scope, title, body)
  VALUES (
    NEW.id * 16 + 3, 's' || NEW.subscription_id || 'k3 p' || NEW.product_id || 'k3', NEW.title,
    NEW.external_key || ' ' || NEW.target_audience || ' ' || NEW.value_proposition || ' ' || iif(
      NEW.long_description = '', '',
      (
        SELECT group_concat(substr(value, instr(value, '>') + 1), ' ')
        FROM json_each(
          '[' || replace(json_quote(substr(NEW.long_description, 1, 20000)), '<', '","') || ']'
        )
      )
    )
  );
END;

CREATE TRIGGER IF NOT EXISTS feedback_items_search_update
AFTER UPDATE OF title, target_audience, value_proposition, long_description ON feedback_items
WHEN OLD.title IS NOT NEW.title
  OR OLD.target_audience IS NOT NEW.target_audience
  OR OLD.value_proposition IS NOT NEW.value_proposition
  OR OLD.long_description IS NOT NEW.long_description
BEGIN
  DELETE FROM search WHERE rowid = OLD.id * 16 + 3;
  INSERT INTO search (rowid, scope, title, body)
  VALUES (
    NEW.id * 16 + 3, 's' || NEW.subscription_id || 'k3 p' || NEW.product_id || 'k3', NEW.title,
    NEW.external_key || ' ' || NEW.target_audience || ' ' || NEW.value_proposition || ' ' || iif(
      NEW.long_description = '', '',
      (
        SELECT group_concat(substr(value, instr(value, '>') + 1), ' ')
        FROM json_each(
          '[' || replace(json_quote(substr(NEW.long_description, 1, 20000)), '<', '","') || ']'
        )
      )
    )
  );
END;

CREATE TRIGGER IF NOT EXISTS feedback_items_search_delete AFTER DELETE ON feedback_items
BEGIN
  DELETE FROM search WHERE rowid = OLD.id * 16 + 3;
END;

-- The actor is the actor of the newest event about the idea or its work item in the same write.
CREATE TRIGGER IF NOT EXISTS feedback_items_status_changed AFTER UPDATE OF status_id ON feedback_items
WHEN NEW.status_id IS NOT OLD.status_id
  AND NEW.deleted_at IS NULL
  AND NOT EXISTS (
    SELECT 1 FROM feedback_statuses WHERE id = OLD.status_id AND deleted_at IS NOT NULL
  )
BEGIN
  INSERT INTO log (
    place, subscription_id, product_id, type, actor_user_id, actor_key, resource_key, data, previous, created_at,
    origin, hops
  )
  SELECT (
    SELECT coalesce(max(place), NEW.subscription_id << 32) + 1
    FROM log
    WHERE place > NEW.subscription_id << 32
      AND place < (NEW.subscription_id + 1) << 32
  ),
    NEW.subscription_id, NEW.product_id, 'feedback.status_changed',
    iif(NEW.is_anonymous IS NOT 1, coalesce(e.actor_user_id, w.actor_user_id), NULL),
    iif(NEW.is_anonymous IS NOT 1, coalesce(e.actor_key, w.actor_key), NULL),
    NEW.external_key,
    json_object(
      'id', NEW.id, 'external_key', NEW.external_key, 'slug', NEW.slug, 'title', NEW.title,
      'status_id', NEW.status_id, 'currentStatus', (SELECT name FROM feedback_statuses WHERE id = NEW.status_id)
    ),
    json_object(
      'status_id', OLD.status_id, 'currentStatus', (SELECT name FROM feedback_statuses WHERE id = OLD.status_id)
    ),
    NEW.updated_at, coalesce(e.origin, w.origin), coalesce(e.hops, w.hops)
  FROM (SELECT 1)
  LEFT JOIN log e
    ON e.created_at = NEW.updated_at
    AND e.place = (
      SELECT max(place)
      FROM log
      WHERE subscription_id = NEW.subscription_id
        AND resource_key = NEW.external_key
    )
  LEFT JOIN log w
    ON w.created_at = NEW.updated_at
    AND w.place = (
      SELECT max(place)
      FROM log
      WHERE subscription_id = NEW.subscription_id
        AND resource_key = (SELECT external_key FROM work_items WHERE id = NEW.work_item_id)
    );
END;

-- Former slugs of ideas.
CREATE TABLE IF NOT EXISTS feedback_slugs (
  subscription_id INTEGER NOT NULL,
  slug TEXT NOT NULL,
  feedback_id INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, slug)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS feedback_slugs_item ON feedback_slugs (subscription_id, feedback_id);

-- Ideas of a bulk request while its batch runs. The table begins and ends empty.
CREATE TABLE IF NOT EXISTS feedback_bulk (
  subscription_id INTEGER NOT NULL,
  n INTEGER NOT NULL,
  product_id INTEGER,
  slug TEXT NOT NULL,
  author TEXT, -- address
  name TEXT,
  body TEXT NOT NULL, -- JSON of columns
  tags TEXT NOT NULL, -- JSON of names and slugs
  user_id INTEGER,
  item_id INTEGER,
  external_key TEXT,
  problem TEXT,
  PRIMARY KEY (subscription_id, n)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS feedback_votes (
  subscription_id INTEGER NOT NULL,
  feedback_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  type TEXT NOT NULL DEFAULT 'up',
  merged_from INTEGER, -- idea that the vote came from
  PRIMARY KEY (subscription_id, feedback_id, user_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS feedback_votes_created
  ON feedback_votes (subscription_id, feedback_id, created_at, user_id);
CREATE INDEX IF NOT EXISTS feedback_votes_user ON feedback_votes (subscription_id, user_id, created_at);
CREATE INDEX IF NOT EXISTS feedback_votes_up ON feedback_votes (subscription_id, feedback_id, created_at, user_id)
  WHERE type = 'up';
CREATE INDEX IF NOT EXISTS feedback_votes_merged ON feedback_votes (subscription_id, merged_from)
  WHERE merged_from IS NOT NULL;

CREATE TRIGGER IF NOT EXISTS feedback_votes_counted AFTER INSERT ON feedback_votes
BEGIN
  UPDATE feedback_items
  SET vote = vote + (NEW.type = 'up'), down_vote = down_vote + (NEW.type = 'down')
  WHERE id = NEW.feedback_id;
END;

CREATE TRIGGER IF NOT EXISTS feedback_votes_recounted AFTER UPDATE OF type ON feedback_votes
WHEN NEW.type <> OLD.type
BEGIN
  UPDATE feedback_items
  SET vote = vote + (NEW.type = 'up') - (OLD.type = 'up'),
    down_vote = down_vote + (NEW.type = 'down') - (OLD.type = 'down')
  WHERE id = NEW.feedback_id;
END;

CREATE TRIGGER IF NOT EXISTS feedback_votes_uncounted AFTER DELETE ON feedback_votes
BEGIN
  UPDATE feedback_items
  SET vote = vote - (OLD.type = 'up'), down_vote = down_vote - (OLD.type = 'down')
  WHERE id = OLD.feedback_id;
END;

-- People who get mail when the status changes. A person who left keeps a row.
CREATE TABLE IF NOT EXISTS feedback_subscriptions (
  subscription_id INTEGER NOT NULL,
  feedback_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  reason TEXT NOT NULL, -- author, vote, comment, asked, or left
  merged_from INTEGER,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, feedback_id, user_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS feedback_subscriptions_merged ON feedback_subscriptions (subscription_id, merged_from)
  WHERE merged_from IS NOT NULL;

CREATE TABLE IF NOT EXISTS feedback_comments (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  feedback_id INTEGER NOT NULL,
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
CREATE INDEX IF NOT EXISTS feedback_comments_created
  ON feedback_comments (subscription_id, feedback_id, is_private, created_at, id);
CREATE INDEX IF NOT EXISTS feedback_comments_user ON feedback_comments (subscription_id, user_id, created_at)
  WHERE is_private = 0 AND deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS feedback_comments_thread
  ON feedback_comments (subscription_id, feedback_id, created_at, id)
  WHERE deleted_at IS NULL OR tombstone > 0;
CREATE INDEX IF NOT EXISTS feedback_comments_parent ON feedback_comments (subscription_id, parent_id)
  WHERE parent_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS feedback_comments_heavy ON feedback_comments (subscription_id)
  WHERE octet_length(text) > 40000;
CREATE INDEX IF NOT EXISTS feedback_comments_removed ON feedback_comments (deleted_at)
  WHERE deleted_at IS NOT NULL AND tombstone = 0;
CREATE INDEX IF NOT EXISTS feedback_comments_tomb_removed ON feedback_comments (deleted_at) WHERE tombstone = 1;

CREATE TRIGGER IF NOT EXISTS feedback_comments_counted AFTER INSERT ON feedback_comments
WHEN NEW.is_private = 0 AND NEW.deleted_at IS NULL
BEGIN
  UPDATE feedback_items
  SET comment = comment + 1, comment_bytes = comment_bytes + octet_length(NEW.text)
  WHERE id = NEW.feedback_id;
END;

CREATE TRIGGER IF NOT EXISTS feedback_comments_recounted
AFTER UPDATE OF text, is_private, deleted_at ON feedback_comments
BEGIN
  UPDATE feedback_items
  SET comment = comment
      + (NEW.is_private = 0 AND NEW.deleted_at IS NULL)
      - (OLD.is_private = 0 AND OLD.deleted_at IS NULL),
    comment_bytes = comment_bytes
      + (NEW.is_private = 0 AND NEW.deleted_at IS NULL) * octet_length(NEW.text)
      - (OLD.is_private = 0 AND OLD.deleted_at IS NULL) * octet_length(OLD.text)
  WHERE id = NEW.feedback_id;
END;

CREATE TRIGGER IF NOT EXISTS feedback_comments_uncounted AFTER DELETE ON feedback_comments
WHEN OLD.is_private = 0 AND OLD.deleted_at IS NULL
BEGIN
  UPDATE feedback_items
  SET comment = comment - 1, comment_bytes = comment_bytes - octet_length(OLD.text)
  WHERE id = OLD.feedback_id;
END;

-- Comments that came with a merged idea, and return with it.
CREATE TABLE IF NOT EXISTS feedback_merged_comments (
  subscription_id INTEGER NOT NULL,
  feedback_id INTEGER NOT NULL,
  comment_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, feedback_id, comment_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS feedback_merged_comments_comment ON feedback_merged_comments (subscription_id, comment_id);

-- Changes of a status and releases that nobody has been mailed about yet.
CREATE TABLE IF NOT EXISTS feedback_notices (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  feedback_id INTEGER,
  status_id INTEGER,
  solution_version_id INTEGER,
  created_at INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS feedback_notices_tenant ON feedback_notices (subscription_id, id);
CREATE INDEX IF NOT EXISTS feedback_notices_due ON feedback_notices (created_at, id);

CREATE TABLE IF NOT EXISTS tags (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  slug TEXT NOT NULL,
  color TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  deleted_at INTEGER,
  usage_count INTEGER NOT NULL DEFAULT 0 -- counted by triggers
);
CREATE UNIQUE INDEX IF NOT EXISTS tags_slug ON tags (product_id, slug) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS tags_removed ON tags (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TRIGGER IF NOT EXISTS tags_counted AFTER INSERT ON tags
BEGIN
  UPDATE tags
  SET usage_count = (
    SELECT count(*)
    FROM work_item_tags
    CROSS JOIN work_items
      ON work_items.id = work_item_tags.work_item_id
      AND work_items.deleted_at IS NULL
    WHERE work_item_tags.subscription_id = NEW.subscription_id
      AND work_item_tags.product_id = NEW.product_id
      AND work_item_tags.slug = NEW.slug
  )
  WHERE id = NEW.id
    AND EXISTS (
      SELECT 1
      FROM work_item_tags
      WHERE subscription_id = NEW.subscription_id
        AND product_id = NEW.product_id
        AND slug = NEW.slug
    );
END;

CREATE TRIGGER IF NOT EXISTS tags_recounted AFTER UPDATE OF slug, deleted_at ON tags
BEGIN
  UPDATE tags
  SET usage_count = (
    SELECT count(*)
    FROM work_item_tags
    CROSS JOIN work_items
      ON work_items.id = work_item_tags.work_item_id
      AND work_items.deleted_at IS NULL
    WHERE work_item_tags.subscription_id = NEW.subscription_id
      AND work_item_tags.product_id = NEW.product_id
      AND work_item_tags.slug = NEW.slug
  ) + (
    SELECT count(*)
    FROM feedback_tags
    CROSS JOIN feedback_items
      ON feedback_items.id = feedback_tags.feedback_id
      AND feedback_items.deleted_at IS NULL
    WHERE feedback_tags.subscription_id = NEW.subscription_id
      AND feedback_tags.tag_id = NEW.id
  )
  WHERE id = NEW.id
    AND deleted_at IS NULL;
END;

CREATE TABLE IF NOT EXISTS feedback_tags (
  subscription_id INTEGER NOT NULL,
  feedback_id INTEGER NOT NULL,
  tag_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, feedback_id, tag_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS feedback_tags_tag ON feedback_tags (subscription_id, tag_id);

CREATE TRIGGER IF NOT EXISTS feedback_tags_counted AFTER INSERT ON feedback_tags
BEGIN
  UPDATE tags SET usage_count = usage_count + 1 WHERE id = NEW.tag_id;
END;

CREATE TRIGGER IF NOT EXISTS feedback_tags_uncounted AFTER DELETE ON feedback_tags
BEGIN
  UPDATE tags SET usage_count = usage_count - 1 WHERE id = OLD.tag_id;
END;
