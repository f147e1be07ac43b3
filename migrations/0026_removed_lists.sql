-- The newest removed records of a list, for removed=include and removed=only. Only a remove, a restore and a purge write
-- these indexes.
CREATE INDEX IF NOT EXISTS users_removed_list ON users (subscription_id, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS products_removed_list ON products (subscription_id, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS teams_removed_list ON teams (subscription_id, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS webhooks_removed_list ON webhooks (subscription_id, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS incoming_webhooks_removed_list
  ON incoming_webhooks (subscription_id, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS feedback_categories_removed_list
  ON feedback_categories (subscription_id, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS feedback_statuses_removed_list
  ON feedback_statuses (subscription_id, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS feedback_items_removed_list
  ON feedback_items (subscription_id, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS segments_removed_list ON segments (subscription_id, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS personas_removed_list ON personas (subscription_id, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS persona_board_segments_removed_list
  ON persona_board_segments (subscription_id, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS persona_custom_fields_removed_list
  ON persona_custom_fields (subscription_id, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS document_templates_removed_list
  ON document_templates (subscription_id, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS assets_removed_list ON assets (product_id, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS story_maps_removed_list ON story_maps (product_id, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS solution_versions_removed_list
  ON solution_versions (product_id, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS tags_removed_list ON tags (product_id, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS kpis_removed_list ON kpis (product_id, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS experiments_removed_list
  ON experiments (product_id, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS documents_removed_list ON documents (product_id, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS work_items_removed_list
  ON work_items (product_id, type, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS persona_summaries_removed_list
  ON persona_summaries (subscription_id, persona_id, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS opportunities_removed_list
  ON opportunities (subscription_id, persona_id, deleted_at) WHERE deleted_at IS NOT NULL;
