-- Double opt-in: a person who joins such a segment gets its mail after confirming by a link.

ALTER TABLE segments ADD COLUMN double_opt_in INTEGER NOT NULL DEFAULT 0;
ALTER TABLE segments ADD COLUMN double_opt_in_since INTEGER; -- null if the segment was created with it

-- People who joined a segment before it asked for confirmations have no row and need none.
CREATE TABLE IF NOT EXISTS segment_confirmations (
  subscription_id INTEGER NOT NULL,
  segment_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  status TEXT NOT NULL DEFAULT 'pending', -- pending or confirmed
  due_at INTEGER, -- time of the next mail that asks
  asked_at INTEGER,
  confirmed_at INTEGER,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, segment_id, user_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS segment_confirmations_due ON segment_confirmations (subscription_id, due_at)
  WHERE due_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS segment_confirmations_user ON segment_confirmations (subscription_id, user_id);

CREATE TRIGGER IF NOT EXISTS segments_double_opt_in AFTER UPDATE OF double_opt_in ON segments
WHEN NEW.double_opt_in = 1 AND OLD.double_opt_in = 0
BEGIN
  UPDATE segments SET double_opt_in_since = NEW.updated_at WHERE id = NEW.id;
END;

-- A person who left and joins again is asked again, at most once a day.
CREATE TRIGGER IF NOT EXISTS segment_members_unconfirmed AFTER INSERT ON segment_members
WHEN (SELECT double_opt_in = 1 AND coalesce(double_opt_in_since, 0) <= NEW.created_at
  FROM segments WHERE id = NEW.segment_id)
BEGIN
  INSERT INTO segment_confirmations (subscription_id, segment_id, user_id, due_at, created_at)
  VALUES (NEW.subscription_id, NEW.segment_id, NEW.user_id, NEW.created_at, NEW.created_at)
  ON CONFLICT DO UPDATE SET due_at = excluded.due_at
    WHERE status = 'pending' AND coalesce(asked_at, 0) <= excluded.due_at - 86400000;
END;
