-- What a removal took from records that stay, so that a restore can give it back.
CREATE TABLE detachments (
  subscription_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  removed_id INTEGER NOT NULL,
  holder_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, kind, removed_id, holder_id)
) WITHOUT ROWID;
CREATE INDEX work_items_team ON work_items (subscription_id, team_id) WHERE team_id IS NOT NULL;

-- For the cron that purges what was removed a month ago, whoever it belongs to.
CREATE INDEX products_removed ON products (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX users_removed ON users (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX teams_removed ON teams (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX tags_removed ON tags (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX assets_removed ON assets (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX work_items_removed ON work_items (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX kpis_removed ON kpis (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX segments_removed ON segments (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX feedback_items_removed ON feedback_items (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX feedback_categories_removed ON feedback_categories (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX feedback_comments_removed ON feedback_comments (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX personas_removed ON personas (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX persona_summaries_removed ON persona_summaries (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX opportunities_removed ON opportunities (deleted_at) WHERE deleted_at IS NOT NULL;
