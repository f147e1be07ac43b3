-- The tenant, its people, products and keys; what every write carries: refusals, numbers, answers kept for retries, events.

CREATE TABLE subscriptions (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
);

CREATE TABLE users (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  email TEXT NOT NULL,
  first_name TEXT NOT NULL DEFAULT '',
  last_name TEXT NOT NULL DEFAULT '',
  role TEXT NOT NULL,
  attributes TEXT NOT NULL DEFAULT '{}',
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE UNIQUE INDEX users_email ON users (subscription_id, email);

CREATE TABLE teams (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  color TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE UNIQUE INDEX teams_name ON teams (subscription_id, name) WHERE deleted_at IS NULL;

CREATE TABLE products (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  external_key TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT,
  color TEXT,
  status TEXT NOT NULL DEFAULT 'active',
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE UNIQUE INDEX products_key ON products (subscription_id, external_key);
CREATE INDEX products_created ON products (subscription_id, created_at, id) WHERE deleted_at IS NULL;

CREATE TABLE api_keys (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  jti TEXT NOT NULL,
  user_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  scopes TEXT NOT NULL,
  products TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at INTEGER
);
CREATE UNIQUE INDEX api_keys_jti ON api_keys (subscription_id, jti);
CREATE INDEX api_keys_created ON api_keys (subscription_id, created_at, id);

-- External numbers: EP-1, EP-2, … per subscription and prefix.
CREATE TABLE counters (
  subscription_id INTEGER NOT NULL,
  prefix TEXT NOT NULL,
  value INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, prefix)
) WITHOUT ROWID;

-- The answer of a POST that carried an Idempotency-Key, in parts that stay below the limit of one value.
CREATE TABLE idempotency_keys (
  subscription_id INTEGER NOT NULL,
  key TEXT NOT NULL,
  route TEXT NOT NULL,
  part INTEGER NOT NULL,
  body_hash TEXT NOT NULL,
  answer TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, key, route, part)
) WITHOUT ROWID;
-- For the cron that forgets them after a day: the one kind of lookup that crosses tenants.
CREATE INDEX idempotency_keys_created ON idempotency_keys (created_at);

CREATE TABLE events (
  subscription_id INTEGER NOT NULL,
  id INTEGER NOT NULL,
  product_id INTEGER,
  type TEXT NOT NULL,
  actor_user_id INTEGER,
  actor_key TEXT,
  resource_key TEXT NOT NULL,
  data TEXT NOT NULL,
  previous TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, id)
) WITHOUT ROWID;
CREATE INDEX events_type ON events (subscription_id, type, id);
-- For the keys that are limited to products.
CREATE INDEX events_product ON events (subscription_id, product_id, id);
CREATE INDEX events_resource ON events (subscription_id, resource_key, id);

-- A batch refuses by inserting a reason here: it aborts whole, and the reason is the error.
CREATE VIEW refusal AS SELECT NULL AS reason WHERE 0;
CREATE TRIGGER refusal_aborts INSTEAD OF INSERT ON refusal
BEGIN
  SELECT RAISE(ABORT, NEW.reason);
END;
