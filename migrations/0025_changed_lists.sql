-- Lists in the order of the last change, for clients that follow changes with updatedSince. Each table of records with
-- updated_at has one, except email_recipients, which a mailing changes many times, and work_items and feedback_items, which
-- have one. Tables of links have none.
CREATE INDEX IF NOT EXISTS users_updated ON users (subscription_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS products_updated ON products (subscription_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS teams_updated ON teams (subscription_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS webhooks_updated ON webhooks (subscription_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS incoming_webhooks_updated
  ON incoming_webhooks (subscription_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS feedback_categories_updated
  ON feedback_categories (subscription_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS feedback_statuses_updated
  ON feedback_statuses (subscription_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS segments_updated ON segments (subscription_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS personas_updated ON personas (subscription_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS persona_board_segments_updated
  ON persona_board_segments (subscription_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS persona_custom_fields_updated
  ON persona_custom_fields (subscription_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS document_templates_updated
  ON document_templates (subscription_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS imports_updated ON imports (subscription_id, updated_at, id);
CREATE INDEX IF NOT EXISTS emails_updated ON emails (subscription_id, updated_at, id);
CREATE INDEX IF NOT EXISTS assets_updated ON assets (product_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS story_maps_updated ON story_maps (product_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS solution_versions_updated
  ON solution_versions (product_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS tags_updated ON tags (product_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS experiments_updated ON experiments (product_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS documents_updated ON documents (product_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS persona_summaries_updated
  ON persona_summaries (subscription_id, persona_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS opportunities_updated
  ON opportunities (subscription_id, persona_id, updated_at, id) WHERE deleted_at IS NULL;
-- The condition on the version keeps the indexes from statements of release 0.2.0, which do not name it.
CREATE INDEX IF NOT EXISTS feedback_comments_updated
  ON feedback_comments (subscription_id, feedback_id, updated_at, id)
  WHERE (deleted_at IS NULL OR tombstone > 0) AND version > 0;
CREATE INDEX IF NOT EXISTS work_item_comments_updated
  ON work_item_comments (subscription_id, work_item_id, updated_at, id)
  WHERE (deleted_at IS NULL OR tombstone > 0) AND version > 0;
