-- What is kept of an idea besides: names of collections, ids of the files that are its cover photos, in their order, and whatever else there is.
ALTER TABLE feedback_items ADD COLUMN collections TEXT NOT NULL DEFAULT '[]';
ALTER TABLE feedback_items ADD COLUMN cover_photos TEXT NOT NULL DEFAULT '[]';
ALTER TABLE feedback_items ADD COLUMN attributes TEXT NOT NULL DEFAULT '{}';
DROP INDEX feedback_items_heavy;
CREATE INDEX feedback_items_heavy ON feedback_items (subscription_id) WHERE octet_length(target_audience) + octet_length(value_proposition) + octet_length(long_description) + octet_length(attributes) > 40000;

-- The filters of the list, by creation.
DROP INDEX feedback_items_category;
CREATE INDEX feedback_items_category ON feedback_items (subscription_id, category_id, created_at, id) WHERE category_id IS NOT NULL;
CREATE INDEX feedback_items_type ON feedback_items (subscription_id, type, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX feedback_items_author ON feedback_items (subscription_id, user_id, created_at, id) WHERE deleted_at IS NULL AND is_anonymous IS NOT 1;

-- The slugs that an idea had: they still find it, and no other has one of them.
CREATE TABLE feedback_slugs (
  subscription_id INTEGER NOT NULL,
  slug TEXT NOT NULL,
  feedback_id INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, slug)
) WITHOUT ROWID;
CREATE INDEX feedback_slugs_item ON feedback_slugs (subscription_id, feedback_id);
