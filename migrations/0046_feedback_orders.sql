-- What an item was merged into. It leaves the lists.
ALTER TABLE feedback_items ADD COLUMN merged_into INTEGER;
CREATE INDEX feedback_items_merged ON feedback_items (subscription_id, merged_into) WHERE merged_into IS NOT NULL;
DROP INDEX feedback_items_created;
CREATE INDEX feedback_items_created ON feedback_items (subscription_id, created_at, id) WHERE deleted_at IS NULL AND merged_into IS NULL;

-- Voices against an idea, what is trending (created_at, moved on by a week for each tenfold of what it is up), and the orders and filters of ideas.
ALTER TABLE feedback_items ADD COLUMN down_vote INTEGER NOT NULL DEFAULT 0;
ALTER TABLE feedback_items ADD COLUMN trending INTEGER NOT NULL GENERATED ALWAYS AS (created_at + CAST(round(604800000 * sign(vote - down_vote) * log10(max(abs(vote - down_vote), 1))) AS INTEGER)) VIRTUAL;
CREATE INDEX feedback_items_vote ON feedback_items (subscription_id, vote, id) WHERE deleted_at IS NULL AND merged_into IS NULL;
CREATE INDEX feedback_items_trending ON feedback_items (subscription_id, trending, id) WHERE deleted_at IS NULL AND merged_into IS NULL;
CREATE INDEX feedback_items_updated ON feedback_items (subscription_id, updated_at, id) WHERE deleted_at IS NULL AND merged_into IS NULL;
CREATE INDEX feedback_items_status ON feedback_items (subscription_id, status_id, created_at, id) WHERE status_id IS NOT NULL;
CREATE INDEX feedback_items_pinned ON feedback_items (subscription_id, created_at, id) WHERE is_pinned = 1 AND deleted_at IS NULL AND merged_into IS NULL;
CREATE INDEX feedback_items_pending ON feedback_items (subscription_id, created_at, id) WHERE visibility_level = 'pending' AND deleted_at IS NULL AND merged_into IS NULL;
CREATE INDEX feedback_items_work_item ON feedback_items (subscription_id, work_item_id) WHERE work_item_id IS NOT NULL;
-- The same within a product, for keys that are limited to some.
CREATE INDEX feedback_items_product_created ON feedback_items (product_id, created_at, id) WHERE deleted_at IS NULL AND merged_into IS NULL;
CREATE INDEX feedback_items_product_vote ON feedback_items (product_id, vote, id) WHERE deleted_at IS NULL AND merged_into IS NULL;
CREATE INDEX feedback_items_product_trending ON feedback_items (product_id, trending, id) WHERE deleted_at IS NULL AND merged_into IS NULL;
CREATE INDEX feedback_items_product_updated ON feedback_items (product_id, updated_at, id) WHERE deleted_at IS NULL AND merged_into IS NULL;
CREATE INDEX feedback_items_product_status ON feedback_items (product_id, status_id, created_at, id) WHERE status_id IS NOT NULL;
CREATE INDEX feedback_items_product_pinned ON feedback_items (product_id, created_at, id) WHERE is_pinned = 1 AND deleted_at IS NULL AND merged_into IS NULL;
CREATE INDEX feedback_items_product_pending ON feedback_items (product_id, created_at, id) WHERE visibility_level = 'pending' AND deleted_at IS NULL AND merged_into IS NULL;
