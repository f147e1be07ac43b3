-- What a mailing is for: segment, members, test, invitation, feedback, release, notice.
ALTER TABLE emails ADD COLUMN kind TEXT NOT NULL DEFAULT 'segment';
-- What the message says to this recipient alone: a JSON object of texts.
ALTER TABLE email_recipients ADD COLUMN variables TEXT;

-- Recipients beyond those that are frozen as rows when a mailing is accepted: JSON of [[user id, variables], ...].
CREATE TABLE email_slices (
  subscription_id INTEGER NOT NULL,
  email_id INTEGER NOT NULL,
  slice INTEGER NOT NULL,
  recipients TEXT NOT NULL,
  next_attempt_at INTEGER NOT NULL, -- when the cron may wake it
  PRIMARY KEY (subscription_id, email_id, slice)
) WITHOUT ROWID;
-- For the cron: the slices that are due, whoever they belong to.
CREATE INDEX email_slices_due ON email_slices (next_attempt_at);
