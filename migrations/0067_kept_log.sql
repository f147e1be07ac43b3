-- When the cron looks next whether the oldest events of a workspace are to go to the archive.
CREATE TABLE log_keeping (
  subscription_id INTEGER NOT NULL,
  next_look_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id)
) WITHOUT ROWID;
CREATE INDEX log_keeping_due ON log_keeping (next_look_at);
CREATE TRIGGER subscriptions_kept AFTER INSERT ON subscriptions BEGIN INSERT INTO log_keeping (subscription_id, next_look_at) VALUES (NEW.id, NEW.created_at); END;
INSERT INTO log_keeping (subscription_id, next_look_at) SELECT id, created_at FROM subscriptions;
