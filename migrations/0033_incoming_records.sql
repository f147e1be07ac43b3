-- The last change of each record that incoming webhooks keep in step with another system, so that deliveries may arrive
-- twice and in any order.

CREATE TABLE IF NOT EXISTS incoming_records (
  subscription_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  kind TEXT NOT NULL, -- work_item, feedback, or a comment of one of these
  source TEXT NOT NULL,
  foreign_id TEXT NOT NULL,
  changed_at INTEGER, -- time of the last change in the other system
  is_removed INTEGER NOT NULL DEFAULT 0,
  details TEXT NOT NULL DEFAULT '{}', -- JSON
  position INTEGER NOT NULL DEFAULT 0, -- last event of the record that details covers
  waits_for TEXT, -- id of a parent that is not known yet
  lease_until INTEGER NOT NULL DEFAULT 0,
  holder INTEGER, -- receipt with the lease
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, product_id, kind, source, foreign_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS incoming_records_old ON incoming_records (seen_at);
CREATE INDEX IF NOT EXISTS incoming_records_waiting ON incoming_records (subscription_id, product_id, waits_for)
  WHERE waits_for IS NOT NULL;

-- Accounts of the sender whose events a webhook leaves out, as a JSON list.
ALTER TABLE incoming_webhooks ADD COLUMN except_authors TEXT NOT NULL DEFAULT '[]';
