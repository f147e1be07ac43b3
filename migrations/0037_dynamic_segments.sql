-- When a dynamic segment was counted: until then user_count says nothing of its rules.
ALTER TABLE segments ADD COLUMN counted_at INTEGER;
-- As 0013: rules take more than a light record has.
CREATE INDEX segments_heavy ON segments (subscription_id) WHERE coalesce(octet_length(rules), 0) > 40000;
CREATE INDEX segments_type ON segments (subscription_id, type, created_at, id) WHERE deleted_at IS NULL;

-- What rules ask of a member: how many votes and comments, and when the latest was.
CREATE INDEX feedback_votes_user ON feedback_votes (subscription_id, user_id, created_at);
CREATE INDEX feedback_comments_user ON feedback_comments (subscription_id, user_id, created_at) WHERE is_private = 0 AND deleted_at IS NULL;
