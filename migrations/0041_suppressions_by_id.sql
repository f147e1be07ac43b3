-- As before, with an id by which one is removed. An id is never given twice.
CREATE TABLE suppressions_by_id (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  subscription_id INTEGER NOT NULL,
  email TEXT NOT NULL,
  segment_id INTEGER NOT NULL DEFAULT 0, -- 0: of all mail
  reason TEXT NOT NULL CHECK (reason IN ('unsubscribe', 'hard_bounce', 'complaint', 'manual')),
  created_at INTEGER NOT NULL
);
INSERT INTO suppressions_by_id (subscription_id, email, segment_id, reason, created_at)
  SELECT subscription_id, email, segment_id, reason, created_at FROM suppressions ORDER BY created_at;
DROP TABLE suppressions;
ALTER TABLE suppressions_by_id RENAME TO suppressions;
CREATE UNIQUE INDEX suppressions_address ON suppressions (subscription_id, email, segment_id);
CREATE INDEX suppressions_created ON suppressions (subscription_id, created_at);
