-- Notices: changes that people get mail about, until the mail leaves.

CREATE TABLE IF NOT EXISTS notices (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  kind TEXT NOT NULL, -- status, release, reply, mention, assignment
  feedback_id INTEGER,
  solution_version_id INTEGER,
  comment_id INTEGER, -- of an idea
  item_comment_id INTEGER, -- of a work item
  work_item_id INTEGER,
  people TEXT, -- JSON array of user ids, NULL for everybody who follows the idea
  message TEXT,
  notify TEXT NOT NULL, -- later, now
  actor_user_id INTEGER,
  created_at INTEGER NOT NULL,
  due_at INTEGER, -- known when the recipients are looked up
  position INTEGER NOT NULL DEFAULT 0, -- last person, or last idea of a release, that was looked up
  expanded_at INTEGER, -- end of the lookup
  withdrawn_at INTEGER
);
CREATE INDEX IF NOT EXISTS notices_waiting ON notices (subscription_id, id) WHERE expanded_at IS NULL;
CREATE INDEX IF NOT EXISTS notices_feedback ON notices (subscription_id, feedback_id, id) WHERE feedback_id IS NOT NULL;

-- Inserting through the view leaves last_insert_rowid() alone.
CREATE VIEW IF NOT EXISTS append_notice AS
SELECT subscription_id, kind, feedback_id, solution_version_id, comment_id, item_comment_id, work_item_id, people, message,
  notify, actor_user_id, created_at
FROM notices;

CREATE TRIGGER IF NOT EXISTS append_notice_inserted INSTEAD OF INSERT ON append_notice
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

CREATE TABLE IF NOT EXISTS notice_people (
  subscription_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  notice_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, user_id, notice_id)
) WITHOUT ROWID;

-- The next mail of each person with notices.
CREATE TABLE IF NOT EXISTS notice_digests (
  subscription_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  waiting INTEGER NOT NULL, -- number of notices
  PRIMARY KEY (subscription_id, user_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS notice_digests_due ON notice_digests (subscription_id, due_at, user_id);

-- Mail that a person wants. Nobody has a row before the first choice.
CREATE TABLE IF NOT EXISTS mail_preferences (
  subscription_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  digest TEXT NOT NULL CHECK (digest IN ('off', 'daily', 'weekly')),
  stopped_kinds TEXT NOT NULL DEFAULT '[]', -- JSON array of kinds of notices
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, user_id)
) WITHOUT ROWID;
