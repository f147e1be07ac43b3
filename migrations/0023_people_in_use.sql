-- An undo of an import finds the comments, the subscriptions and the assignments of a person.

CREATE INDEX IF NOT EXISTS feedback_comments_private ON feedback_comments (subscription_id, user_id)
  WHERE is_private = 1 AND deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS feedback_subscriptions_asked ON feedback_subscriptions (subscription_id, user_id)
  WHERE reason = 'asked';
CREATE INDEX IF NOT EXISTS work_item_comments_user ON work_item_comments (subscription_id, user_id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS work_items_assigned ON work_items (subscription_id, user_ids)
  WHERE user_ids <> '[]' AND deleted_at IS NULL;
