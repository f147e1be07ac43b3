-- Since when the mail provider takes nothing of a workspace.
CREATE TABLE mail_outages (
  subscription_id INTEGER NOT NULL,
  provider TEXT NOT NULL,
  since INTEGER NOT NULL,
  failed_at INTEGER NOT NULL, -- when it was last asked
  reason TEXT NOT NULL,
  told_at INTEGER, -- when the log was told
  PRIMARY KEY (subscription_id)
) WITHOUT ROWID;
-- For the cron: those that are to be told, whoever they belong to.
CREATE INDEX mail_outages_untold ON mail_outages (since) WHERE told_at IS NULL;
