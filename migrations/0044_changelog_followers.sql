-- People who follow the changelog get a mail about each published entry, together with their other news.

CREATE TABLE IF NOT EXISTS changelog_followers (
  subscription_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  left_at INTEGER, -- the person no longer follows
  created_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, user_id)
) WITHOUT ROWID;

ALTER TABLE changelog_entries ADD COLUMN notify TEXT NOT NULL DEFAULT 'later'; -- later, now, none
-- The first mail about the entry has left. A second publication mails nobody.
ALTER TABLE changelog_entries ADD COLUMN announced_at INTEGER;

ALTER TABLE notices ADD COLUMN changelog_entry_id INTEGER;

DROP VIEW IF EXISTS append_notice;
CREATE VIEW IF NOT EXISTS append_notice AS
SELECT subscription_id, kind, feedback_id, solution_version_id, comment_id, item_comment_id, work_item_id,
  changelog_entry_id, people, message, notify, actor_user_id, created_at
FROM notices;

CREATE TRIGGER IF NOT EXISTS append_notice_inserted INSTEAD OF INSERT ON append_notice
WHEN NOT EXISTS (SELECT 1 FROM mail_silence WHERE subscription_id = NEW.subscription_id)
BEGIN
  INSERT INTO notices (
    subscription_id, kind, feedback_id, solution_version_id, comment_id, item_comment_id, work_item_id,
    changelog_entry_id, people, message, notify, actor_user_id, created_at
  )
  VALUES (
    NEW.subscription_id, NEW.kind, NEW.feedback_id, NEW.solution_version_id, NEW.comment_id, NEW.item_comment_id,
    NEW.work_item_id, NEW.changelog_entry_id, NEW.people, NEW.message, NEW.notify, NEW.actor_user_id, NEW.created_at
  );
END;
