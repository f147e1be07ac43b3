-- Every write: refusals, counted numbers, responses kept for retries, rows charged to a quota. Also the work behind the
-- requests: queue messages that failed for good, and the last run of the cron.

-- A batch refuses by inserting a reason here. The trigger aborts the whole batch, and the reason becomes the error.
CREATE VIEW IF NOT EXISTS refusal AS
SELECT NULL AS reason WHERE 0;

CREATE TRIGGER IF NOT EXISTS refusal_aborts INSTEAD OF INSERT ON refusal
BEGIN
  SELECT RAISE(ABORT, NEW.reason);
END;

-- The last number of each prefix, for keys like EP-12.
CREATE TABLE IF NOT EXISTS counters (
  subscription_id INTEGER NOT NULL,
  prefix TEXT NOT NULL,
  value INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, prefix)
) WITHOUT ROWID;

-- The rank that a batch gives to the record it places.
CREATE TABLE IF NOT EXISTS placements (
  subscription_id INTEGER NOT NULL,
  rank TEXT NOT NULL,
  PRIMARY KEY (subscription_id)
) WITHOUT ROWID;

-- The response of a POST with an Idempotency-Key, in parts below the size limit of a value.
CREATE TABLE IF NOT EXISTS idempotency_keys (
  subscription_id INTEGER NOT NULL,
  key TEXT NOT NULL,
  route TEXT NOT NULL,
  part INTEGER NOT NULL,
  body_hash TEXT NOT NULL,
  answer TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, key, route, part)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS idempotency_keys_created ON idempotency_keys (created_at);

-- Rows written by each workspace on the last day with a write, and the estimated bytes that the workspace stores. Days are
-- counted from 1970, in UTC.
CREATE TABLE IF NOT EXISTS written_rows (
  subscription_id INTEGER NOT NULL,
  day INTEGER NOT NULL,
  written INTEGER NOT NULL,
  changes_before INTEGER NOT NULL DEFAULT 0, -- total_changes() at the start of the last charged batch
  bytes INTEGER NOT NULL DEFAULT 0,
  measured_at INTEGER NOT NULL DEFAULT 0,
  counted_event INTEGER NOT NULL DEFAULT 0, -- the last event whose bytes are counted
  PRIMARY KEY (subscription_id)
) WITHOUT ROWID;

-- Queue messages that failed for good. A message holds ids only. The cron enqueues marked messages again.
CREATE TABLE IF NOT EXISTS dead_letters (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL, -- 0 for a message of an unknown shape
  message TEXT NOT NULL, -- JSON
  failed_at INTEGER NOT NULL,
  replay_at INTEGER
);
CREATE INDEX IF NOT EXISTS dead_letters_workspace ON dead_letters (subscription_id, failed_at);
CREATE INDEX IF NOT EXISTS dead_letters_failed ON dead_letters (failed_at);
CREATE INDEX IF NOT EXISTS dead_letters_replay ON dead_letters (replay_at) WHERE replay_at IS NOT NULL;

-- One row.
CREATE TABLE IF NOT EXISTS cron_runs (
  id INTEGER PRIMARY KEY,
  ran_at INTEGER NOT NULL,
  ms INTEGER NOT NULL,
  slowest_job TEXT NOT NULL,
  slowest_ms INTEGER NOT NULL,
  failed_jobs INTEGER NOT NULL
);
