-- A comment that becomes private takes its notices back.
CREATE INDEX IF NOT EXISTS notices_comment ON notices (subscription_id, comment_id) WHERE comment_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS notices_item_comment ON notices (subscription_id, item_comment_id) WHERE item_comment_id IS NOT NULL;
