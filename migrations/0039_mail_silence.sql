-- A row stands here only within a batch whose changes must mail nobody: the batch inserts the row first and deletes it last.

CREATE TABLE IF NOT EXISTS mail_silence (
  subscription_id INTEGER NOT NULL PRIMARY KEY
) WITHOUT ROWID;

DROP TRIGGER IF EXISTS feedback_items_noticed;
CREATE TRIGGER IF NOT EXISTS feedback_items_noticed AFTER UPDATE OF status_id ON feedback_items
WHEN NEW.status_id IS NOT OLD.status_id
  AND NEW.status_id IS NOT NULL
  AND NEW.deleted_at IS NULL
  AND NEW.merged_into IS NULL
  AND NOT EXISTS (
    SELECT 1 FROM feedback_statuses WHERE id = OLD.status_id AND deleted_at IS NOT NULL
  )
  AND NOT EXISTS (SELECT 1 FROM mail_silence WHERE subscription_id = NEW.subscription_id)
BEGIN
  INSERT INTO feedback_notices (subscription_id, feedback_id, status_id, created_at)
  VALUES (NEW.subscription_id, NEW.id, NEW.status_id, NEW.updated_at);
END;

DROP TRIGGER IF EXISTS append_notice_inserted;
CREATE TRIGGER IF NOT EXISTS append_notice_inserted INSTEAD OF INSERT ON append_notice
WHEN NOT EXISTS (SELECT 1 FROM mail_silence WHERE subscription_id = NEW.subscription_id)
BEGIN
  INSERT INTO notices (
    subscription_id, kind, feedback_id, solution_version_id, comment_id, item_comment_id, work_item_id, people, message,
    notify, actor_user_id, created_at
  )
  VALUES (
    NEW.subscription_id, NEW.kind, NEW.feedback_id, NEW.solution_version_id, NEW.comment_id, NEW.item_comment_id,
    NEW.work_item_id, NEW.people, NEW.message, NEW.notify, NEW.actor_user_id, NEW.created_at
  );
END;

-- A member whom a silent batch adds stays pending, and can be asked later.
DROP TRIGGER IF EXISTS segment_members_unconfirmed;
CREATE TRIGGER IF NOT EXISTS segment_members_unconfirmed AFTER INSERT ON segment_members
WHEN (SELECT double_opt_in = 1 AND coalesce(double_opt_in_since, 0) <= NEW.created_at
  FROM segments WHERE id = NEW.segment_id)
BEGIN
  INSERT INTO segment_confirmations (subscription_id, segment_id, user_id, due_at, created_at)
  VALUES (
    NEW.subscription_id, NEW.segment_id, NEW.user_id,
    iif(EXISTS (SELECT 1 FROM mail_silence WHERE subscription_id = NEW.subscription_id), NULL, NEW.created_at),
    NEW.created_at
  )
  ON CONFLICT DO UPDATE SET due_at = coalesce(excluded.due_at, due_at)
    WHERE status = 'pending' AND coalesce(asked_at, 0) <= excluded.created_at - 86400000;
END;
