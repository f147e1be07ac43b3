-- Addresses that other systems send to, and what came there.
CREATE TABLE incoming_webhooks (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  provider TEXT NOT NULL,
  action TEXT NOT NULL,
  target TEXT NOT NULL, -- JSON
  mapping TEXT NOT NULL, -- JSON
  key_id INTEGER NOT NULL, -- as which it acts
  token TEXT NOT NULL,
  base_url TEXT NOT NULL,
  secret TEXT, -- sealed
  sealed_by TEXT,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE INDEX incoming_webhooks_created ON incoming_webhooks (subscription_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX incoming_webhooks_product ON incoming_webhooks (subscription_id, product_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX incoming_webhooks_of_product ON incoming_webhooks (product_id);
CREATE UNIQUE INDEX incoming_webhooks_token ON incoming_webhooks (subscription_id, token);
CREATE INDEX incoming_webhooks_key ON incoming_webhooks (subscription_id, key_id);
CREATE INDEX incoming_webhooks_sealed ON incoming_webhooks (sealed_by) WHERE sealed_by IS NOT NULL;
CREATE INDEX incoming_webhooks_removed ON incoming_webhooks (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE incoming_receipts (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  incoming_webhook_id INTEGER NOT NULL,
  delivery_id TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'queued',
  payload TEXT, -- until it is settled
  outcome TEXT,
  error TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  version INTEGER NOT NULL DEFAULT 1
);
CREATE INDEX incoming_receipts_created ON incoming_receipts (subscription_id, incoming_webhook_id, created_at, id);
CREATE UNIQUE INDEX incoming_receipts_delivery ON incoming_receipts (subscription_id, incoming_webhook_id, delivery_id);
CREATE INDEX incoming_receipts_due ON incoming_receipts (next_attempt_at) WHERE status = 'queued';
CREATE INDEX incoming_receipts_old ON incoming_receipts (created_at);
