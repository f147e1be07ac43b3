-- Ideas of a status in the order of their votes, for the roadmap and the board of a portal.
CREATE INDEX IF NOT EXISTS feedback_items_status_vote ON feedback_items (subscription_id, status_id, vote, id)
  WHERE status_id IS NOT NULL AND deleted_at IS NULL AND merged_into IS NULL;
