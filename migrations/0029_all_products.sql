-- Lists over all products, for mirrors and reports. Only these lists have the condition product_id > 0, which keeps the
-- planner from these indexes in the lists of a product.
CREATE INDEX IF NOT EXISTS work_items_all_created
  ON work_items (subscription_id, created_at, id) WHERE deleted_at IS NULL AND product_id > 0;
CREATE INDEX IF NOT EXISTS work_items_all_updated
  ON work_items (subscription_id, updated_at, id) WHERE deleted_at IS NULL AND product_id > 0;
CREATE INDEX IF NOT EXISTS work_items_all_removed
  ON work_items (subscription_id, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS feedback_comments_all_created
  ON feedback_comments (subscription_id, created_at, id) WHERE deleted_at IS NULL OR tombstone > 0;
CREATE INDEX IF NOT EXISTS feedback_comments_all_updated
  ON feedback_comments (subscription_id, updated_at, id) WHERE deleted_at IS NULL OR tombstone > 0;
CREATE INDEX IF NOT EXISTS feedback_votes_all ON feedback_votes (subscription_id, created_at, feedback_id, user_id);
