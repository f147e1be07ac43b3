ALTER TABLE teams ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
CREATE INDEX teams_created ON teams (subscription_id, created_at, id) WHERE deleted_at IS NULL;

CREATE TABLE team_members (
  subscription_id INTEGER NOT NULL,
  team_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, team_id, user_id)
) WITHOUT ROWID;
CREATE INDEX team_members_user ON team_members (subscription_id, user_id);

CREATE TABLE team_products (
  subscription_id INTEGER NOT NULL,
  team_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, team_id, product_id)
) WITHOUT ROWID;
CREATE INDEX team_products_product ON team_products (subscription_id, product_id);

ALTER TABLE users ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
CREATE INDEX users_created ON users (subscription_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX users_owners ON users (subscription_id) WHERE role = 'owner' AND deleted_at IS NULL;

ALTER TABLE tags ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE tags ADD COLUMN deleted_at INTEGER;
DROP INDEX tags_slug;
CREATE UNIQUE INDEX tags_slug ON tags (product_id, slug) WHERE deleted_at IS NULL;
CREATE INDEX feedback_tags_tag ON feedback_tags (subscription_id, tag_id);

-- Names in the tags of a work item, by the slug that they make.
CREATE TABLE work_item_tags (
  subscription_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  slug TEXT NOT NULL,
  work_item_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, product_id, slug, work_item_id)
) WITHOUT ROWID;
CREATE INDEX work_item_tags_item ON work_item_tags (subscription_id, work_item_id);
