-- Erased people. A row stays for good, so that a restore of a backup can leave out the person.

CREATE TABLE IF NOT EXISTS erasures (
  subscription_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  erased_at INTEGER NOT NULL,
  step INTEGER NOT NULL DEFAULT 0,
  position TEXT, -- JSON array, the last key that the present step has read
  person TEXT, -- JSON, the address and the names to look for, until the last step
  next_attempt_at INTEGER, -- NULL after the last step
  PRIMARY KEY (subscription_id, user_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS erasures_due ON erasures (next_attempt_at) WHERE next_attempt_at IS NOT NULL;

-- Addresses of erased people, as HMAC-SHA-256 with the key of the workspace.
CREATE TABLE IF NOT EXISTS erased_addresses (
  subscription_id INTEGER NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (subscription_id, hash)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS address_keys (
  subscription_id INTEGER NOT NULL,
  secret TEXT NOT NULL, -- encrypted with a signing secret
  sealed_by TEXT NOT NULL, -- id of the signing secret
  PRIMARY KEY (subscription_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS address_keys_sealed ON address_keys (sealed_by);
