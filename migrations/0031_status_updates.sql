-- Status updates: what the team says about the status of an idea.

CREATE TABLE IF NOT EXISTS feedback_status_updates (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  feedback_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  status TEXT NOT NULL, -- name of the status at the time of the update
  message TEXT,
  notify TEXT NOT NULL CHECK (notify IN ('later', 'now', 'none')),
  created_at INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS feedback_status_updates_created
  ON feedback_status_updates (subscription_id, feedback_id, created_at, id);

-- Counted by a trigger, like votes and comments.
ALTER TABLE feedback_items ADD COLUMN status_update_count INTEGER NOT NULL DEFAULT 0;

CREATE TRIGGER IF NOT EXISTS feedback_status_updates_counted AFTER INSERT ON feedback_status_updates
BEGIN
  UPDATE feedback_items SET status_update_count = status_update_count + 1 WHERE id = NEW.feedback_id;
END;
