-- The comments that have come with a merged item, so that they go back with it.
CREATE TABLE feedback_merged_comments (
  subscription_id INTEGER NOT NULL,
  feedback_id INTEGER NOT NULL,
  comment_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, feedback_id, comment_id)
) WITHOUT ROWID;
