-- Ids of comments in other systems. A comment is found by its id among the comments of its item.

ALTER TABLE work_item_comments ADD COLUMN source TEXT;
ALTER TABLE work_item_comments ADD COLUMN external_id TEXT;
CREATE INDEX IF NOT EXISTS work_item_comments_external_id
  ON work_item_comments (subscription_id, work_item_id, source, external_id) WHERE external_id IS NOT NULL;

ALTER TABLE feedback_comments ADD COLUMN source TEXT;
ALTER TABLE feedback_comments ADD COLUMN external_id TEXT;
CREATE INDEX IF NOT EXISTS feedback_comments_external_id
  ON feedback_comments (subscription_id, feedback_id, source, external_id) WHERE external_id IS NOT NULL;
