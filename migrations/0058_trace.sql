-- Ideas by the work item that they became.
CREATE INDEX IF NOT EXISTS feedback_items_work_item ON feedback_items (subscription_id, work_item_id) WHERE work_item_id IS NOT NULL;
