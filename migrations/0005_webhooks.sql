-- Webhooks to other systems and from other systems.

CREATE TABLE IF NOT EXISTS webhooks (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  url TEXT NOT NULL,
  events TEXT NOT NULL, -- JSON array of patterns
  products TEXT, -- JSON array of ids, NULL for all
  status TEXT NOT NULL DEFAULT 'active',
  key_id INTEGER NOT NULL, -- key whose scopes select the events
  secret TEXT NOT NULL, -- encrypted, like previous_secret and sealed_url
  previous_secret TEXT,
  previous_until INTEGER,
  sealed_by TEXT NOT NULL, -- id of the signing secret of the oldest encrypted value
  position INTEGER NOT NULL,
  due_at INTEGER, -- time of the next delivery
  failures INTEGER NOT NULL DEFAULT 0,
  failing_since INTEGER,
  last_error TEXT,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  hook_token_hash TEXT,
  first_key_id INTEGER,
  sealed_url TEXT
);
CREATE INDEX IF NOT EXISTS webhooks_created ON webhooks (subscription_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS webhooks_name ON webhooks (subscription_id, name, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS webhooks_position ON webhooks (subscription_id, position)
  WHERE status = 'active' AND deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS webhooks_due ON webhooks (subscription_id, due_at)
  WHERE status = 'active' AND deleted_at IS NULL AND due_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS webhooks_key ON webhooks (subscription_id, key_id);
CREATE INDEX IF NOT EXISTS webhooks_sealed ON webhooks (sealed_by);
CREATE INDEX IF NOT EXISTS webhooks_removed ON webhooks (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS webhooks_first_key ON webhooks (subscription_id, first_key_id)
  WHERE first_key_id IS NOT NULL;

CREATE TABLE IF NOT EXISTS webhook_deliveries (
  subscription_id INTEGER NOT NULL,
  webhook_id INTEGER NOT NULL,
  event_id INTEGER NOT NULL,
  type TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'pending',
  tries INTEGER NOT NULL DEFAULT 0, -- since the creation or the last replay
  attempts TEXT NOT NULL DEFAULT '[]',
  bytes INTEGER NOT NULL,
  claim TEXT,
  next_attempt_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (subscription_id, webhook_id, event_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS webhook_deliveries_due
  ON webhook_deliveries (subscription_id, webhook_id, next_attempt_at, event_id)
  WHERE status = 'pending';
CREATE INDEX IF NOT EXISTS webhook_deliveries_old ON webhook_deliveries (created_at);

-- Workspaces with webhooks, and when the cron checks them next.
CREATE TABLE IF NOT EXISTS webhook_feeds (
  subscription_id INTEGER NOT NULL,
  next_look_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS webhook_feeds_due ON webhook_feeds (next_look_at);

CREATE TABLE IF NOT EXISTS incoming_webhooks (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  provider TEXT NOT NULL,
  action TEXT NOT NULL,
  target TEXT NOT NULL, -- JSON
  mapping TEXT NOT NULL, -- JSON
  key_id INTEGER NOT NULL, -- key that acts
  token_hash TEXT NOT NULL,
  base_url TEXT NOT NULL,
  secret TEXT, -- encrypted
  sealed_by TEXT,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  previous_secret TEXT,
  previous_until INTEGER,
  previous_token_hash TEXT,
  first_key_id INTEGER
);
CREATE INDEX IF NOT EXISTS incoming_webhooks_created ON incoming_webhooks (subscription_id, created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS incoming_webhooks_product
  ON incoming_webhooks (subscription_id, product_id, created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS incoming_webhooks_of_product ON incoming_webhooks (product_id);
CREATE UNIQUE INDEX IF NOT EXISTS incoming_webhooks_token ON incoming_webhooks (subscription_id, token_hash);
CREATE INDEX IF NOT EXISTS incoming_webhooks_key ON incoming_webhooks (subscription_id, key_id);
CREATE INDEX IF NOT EXISTS incoming_webhooks_sealed ON incoming_webhooks (sealed_by) WHERE sealed_by IS NOT NULL;
CREATE INDEX IF NOT EXISTS incoming_webhooks_removed ON incoming_webhooks (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS incoming_webhooks_previous_token
  ON incoming_webhooks (subscription_id, previous_token_hash)
  WHERE previous_token_hash IS NOT NULL;
CREATE INDEX IF NOT EXISTS incoming_webhooks_first_key ON incoming_webhooks (subscription_id, first_key_id)
  WHERE first_key_id IS NOT NULL;

CREATE TABLE IF NOT EXISTS incoming_receipts (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  incoming_webhook_id INTEGER NOT NULL,
  delivery_id TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'queued',
  payload TEXT, -- NULL after the outcome
  outcome TEXT,
  error TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  signed_digest TEXT,
  hops INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS incoming_receipts_created
  ON incoming_receipts (subscription_id, incoming_webhook_id, created_at, id);
CREATE UNIQUE INDEX IF NOT EXISTS incoming_receipts_delivery
  ON incoming_receipts (subscription_id, incoming_webhook_id, delivery_id);
CREATE INDEX IF NOT EXISTS incoming_receipts_due ON incoming_receipts (subscription_id, next_attempt_at)
  WHERE status = 'queued';
CREATE INDEX IF NOT EXISTS incoming_receipts_old ON incoming_receipts (created_at);
CREATE INDEX IF NOT EXISTS incoming_receipts_signed
  ON incoming_receipts (subscription_id, incoming_webhook_id, signed_digest)
  WHERE signed_digest IS NOT NULL;
