-- What a removable record has, and the items of a category.
ALTER TABLE feedback_categories ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
CREATE INDEX feedback_items_category ON feedback_items (subscription_id, category_id) WHERE category_id IS NOT NULL;
