-- Endpoints that the log is delivered to, and what became of each event there. An endpoint has been given the log up to its position.
CREATE TABLE webhooks (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  url TEXT NOT NULL,
  events TEXT NOT NULL, -- patterns, as JSON
  products TEXT, -- ids, as JSON; of all without
  status TEXT NOT NULL DEFAULT 'active',
  key_id INTEGER NOT NULL, -- whose reading it delivers
  secret TEXT NOT NULL, -- sealed, as the two below
  previous_secret TEXT,
  previous_until INTEGER,
  sealed_by TEXT NOT NULL, -- id of a signing secret; where the two differ, the older one
  position INTEGER NOT NULL,
  due_at INTEGER, -- when its next delivery is to go
  failures INTEGER NOT NULL DEFAULT 0, -- since the last success
  failing_since INTEGER,
  last_error TEXT,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE INDEX webhooks_created ON webhooks (subscription_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX webhooks_name ON webhooks (subscription_id, name, id) WHERE deleted_at IS NULL;
CREATE INDEX webhooks_position ON webhooks (subscription_id, position) WHERE status = 'active' AND deleted_at IS NULL;
CREATE INDEX webhooks_due ON webhooks (subscription_id, due_at) WHERE status = 'active' AND deleted_at IS NULL AND due_at IS NOT NULL;
CREATE INDEX webhooks_key ON webhooks (subscription_id, key_id);
CREATE INDEX webhooks_sealed ON webhooks (sealed_by);
CREATE INDEX webhooks_removed ON webhooks (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE webhook_deliveries (
  subscription_id INTEGER NOT NULL,
  webhook_id INTEGER NOT NULL,
  event_id INTEGER NOT NULL,
  type TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'pending',
  tries INTEGER NOT NULL DEFAULT 0, -- since it was made, or replayed
  attempts TEXT NOT NULL DEFAULT '[]',
  bytes INTEGER NOT NULL,
  claim TEXT,
  next_attempt_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (subscription_id, webhook_id, event_id)
) WITHOUT ROWID;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (subscription_id, webhook_id, next_attempt_at, event_id) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_old ON webhook_deliveries (created_at);

-- Workspaces that have endpoints, and when the cron looks after them next.
CREATE TABLE webhook_feeds (
  subscription_id INTEGER NOT NULL,
  next_look_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id)
) WITHOUT ROWID;
CREATE INDEX webhook_feeds_due ON webhook_feeds (next_look_at);
