CREATE TABLE feedback_categories (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  description TEXT,
  slug TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE UNIQUE INDEX feedback_categories_slug ON feedback_categories (subscription_id, slug) WHERE deleted_at IS NULL;

CREATE TABLE feedback_items (
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
  vote INTEGER NOT NULL DEFAULT 0,    -- kept by the triggers below
  comment INTEGER NOT NULL DEFAULT 0, -- public comments, likewise
  work_item_id INTEGER,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE UNIQUE INDEX feedback_items_key ON feedback_items (subscription_id, external_key);
CREATE UNIQUE INDEX feedback_items_slug ON feedback_items (subscription_id, slug);
CREATE INDEX feedback_items_created ON feedback_items (subscription_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX feedback_items_product ON feedback_items (subscription_id, product_id, created_at, id) WHERE deleted_at IS NULL;

CREATE TABLE feedback_votes (
  subscription_id INTEGER NOT NULL,
  feedback_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, feedback_id, user_id)
) WITHOUT ROWID;
CREATE INDEX feedback_votes_created ON feedback_votes (subscription_id, feedback_id, created_at, user_id);

CREATE TRIGGER feedback_votes_counted AFTER INSERT ON feedback_votes
BEGIN
  UPDATE feedback_items SET vote = vote + 1 WHERE id = NEW.feedback_id;
END;
CREATE TRIGGER feedback_votes_uncounted AFTER DELETE ON feedback_votes
BEGIN
  UPDATE feedback_items SET vote = vote - 1 WHERE id = OLD.feedback_id;
END;

CREATE TABLE feedback_comments (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  feedback_id INTEGER NOT NULL,
  parent_id INTEGER,
  user_id INTEGER NOT NULL,
  text TEXT NOT NULL,
  is_private INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE INDEX feedback_comments_created ON feedback_comments (subscription_id, feedback_id, is_private, created_at, id);

CREATE TRIGGER feedback_comments_counted AFTER INSERT ON feedback_comments
WHEN NEW.is_private = 0 AND NEW.deleted_at IS NULL
BEGIN
  UPDATE feedback_items SET comment = comment + 1 WHERE id = NEW.feedback_id;
END;
CREATE TRIGGER feedback_comments_recounted AFTER UPDATE OF text, is_private, deleted_at ON feedback_comments
BEGIN
  UPDATE feedback_items
  SET comment = comment
    + (NEW.is_private = 0 AND NEW.deleted_at IS NULL)
    - (OLD.is_private = 0 AND OLD.deleted_at IS NULL)
  WHERE id = NEW.feedback_id;
END;
CREATE TRIGGER feedback_comments_uncounted AFTER DELETE ON feedback_comments
WHEN OLD.is_private = 0 AND OLD.deleted_at IS NULL
BEGIN
  UPDATE feedback_items SET comment = comment - 1 WHERE id = OLD.feedback_id;
END;

-- Product tags: what a feedback item shows as {id, key, slug}.
CREATE TABLE tags (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  slug TEXT NOT NULL,
  color TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);
CREATE UNIQUE INDEX tags_slug ON tags (product_id, slug);

CREATE TABLE feedback_tags (
  subscription_id INTEGER NOT NULL,
  feedback_id INTEGER NOT NULL,
  tag_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, feedback_id, tag_id)
) WITHOUT ROWID;
