-- Comments: whom they mention, and what is removed while something answers it: it stays as a tombstone, its text aside for a restore.
ALTER TABLE feedback_comments ADD COLUMN mentions TEXT NOT NULL DEFAULT '[]';
ALTER TABLE feedback_comments ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE feedback_comments ADD COLUMN tombstone INTEGER NOT NULL DEFAULT 0; -- 2: its text is gone for good
ALTER TABLE feedback_comments ADD COLUMN removed_text TEXT;
CREATE INDEX feedback_comments_thread ON feedback_comments (subscription_id, feedback_id, created_at, id) WHERE deleted_at IS NULL OR tombstone > 0;
CREATE INDEX feedback_comments_parent ON feedback_comments (subscription_id, parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX feedback_comments_heavy ON feedback_comments (subscription_id) WHERE octet_length(text) > 40000;
DROP INDEX feedback_comments_removed;
CREATE INDEX feedback_comments_removed ON feedback_comments (deleted_at) WHERE deleted_at IS NOT NULL AND tombstone = 0;
CREATE INDEX feedback_comments_tomb_removed ON feedback_comments (deleted_at) WHERE tombstone = 1;

CREATE TABLE work_item_comments (
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
  tombstone INTEGER NOT NULL DEFAULT 0,
  removed_text TEXT
);
CREATE INDEX work_item_comments_thread ON work_item_comments (subscription_id, work_item_id, created_at, id) WHERE deleted_at IS NULL OR tombstone > 0;
CREATE INDEX work_item_comments_parent ON work_item_comments (subscription_id, parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX work_item_comments_heavy ON work_item_comments (subscription_id) WHERE octet_length(text) > 40000;
CREATE INDEX work_item_comments_removed ON work_item_comments (deleted_at) WHERE deleted_at IS NOT NULL AND tombstone = 0;
CREATE INDEX work_item_comments_tomb_removed ON work_item_comments (deleted_at) WHERE tombstone = 1;
