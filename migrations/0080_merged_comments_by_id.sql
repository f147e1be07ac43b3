-- Where a comment goes back to, for a key that is limited to products and changes it.
CREATE INDEX feedback_merged_comments_comment ON feedback_merged_comments (subscription_id, comment_id);
