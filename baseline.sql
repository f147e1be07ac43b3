-- The schema as of 0059_import_refusals.sql, for a new database. Later migrations come on top.
-- Written by npm run baseline at version 0.2.0. Do not edit.

CREATE TABLE IF NOT EXISTS subscriptions (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
, erase_at INTEGER);
CREATE INDEX IF NOT EXISTS subscriptions_erase ON subscriptions (erase_at) WHERE erase_at IS NOT NULL;
CREATE TRIGGER IF NOT EXISTS subscriptions_begun AFTER INSERT ON subscriptions
BEGIN
  INSERT INTO settings (subscription_id, updated_at) VALUES (NEW.id, NEW.created_at);
  INSERT INTO feedback_statuses (
    subscription_id, position, name, slug, color, ends_voting, progress, created_at, updated_at
  )
  SELECT NEW.id, column1, column2, replace(column2, ' ', '-'), column3, column4, column5, NEW.created_at, NEW.created_at
  FROM (
    VALUES (1, 'open', '#64748b', 0, NULL),
      (2, 'under review', '#0ea5e9', 0, NULL),
      (3, 'planned', '#6366f1', 0, 'to-do'),
      (4, 'in progress', '#f59e0b', 0, 'in-progress'),
      (5, 'completed', '#22c55e', 1, 'done'),
      (6, 'declined', '#ef4444', 1, NULL),
      (7, 'duplicate', '#a1a1aa', 1, NULL)
  );
END;
CREATE TRIGGER IF NOT EXISTS subscriptions_kept AFTER INSERT ON subscriptions
BEGIN
  INSERT INTO log_keeping (subscription_id, next_look_at) VALUES (NEW.id, NEW.created_at);
END;
CREATE TRIGGER IF NOT EXISTS subscriptions_scheduled AFTER INSERT ON subscriptions
BEGIN
  INSERT INTO backup_schedule (subscription_id, next_at) VALUES (NEW.id, 0);
END;
CREATE TRIGGER IF NOT EXISTS subscriptions_portal AFTER INSERT ON subscriptions
BEGIN
  INSERT INTO portals (subscription_id, updated_at) VALUES (NEW.id, NEW.created_at);
END;
CREATE TRIGGER IF NOT EXISTS subscriptions_sign_in AFTER INSERT ON subscriptions
BEGIN
  INSERT INTO sign_in_settings (subscription_id, updated_at) VALUES (NEW.id, NEW.created_at);
END;

CREATE TABLE IF NOT EXISTS settings (
  subscription_id INTEGER NOT NULL,
  feedback TEXT NOT NULL DEFAULT '{"moderation":false}',
  version INTEGER NOT NULL DEFAULT 1,
  updated_at INTEGER NOT NULL, cors TEXT NOT NULL DEFAULT '[]', idea_url TEXT, mail_templates TEXT NOT NULL DEFAULT '{}',
  PRIMARY KEY (subscription_id)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS users (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  email TEXT NOT NULL,
  first_name TEXT NOT NULL DEFAULT '',
  last_name TEXT NOT NULL DEFAULT '',
  role TEXT NOT NULL,
  attributes TEXT NOT NULL DEFAULT '{}',
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  version INTEGER NOT NULL DEFAULT 1
, source TEXT, external_id TEXT, address_round INTEGER NOT NULL DEFAULT 0);
CREATE UNIQUE INDEX IF NOT EXISTS users_email ON users (subscription_id, email);
CREATE INDEX IF NOT EXISTS users_created ON users (subscription_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS users_owners ON users (subscription_id) WHERE role = 'owner' AND deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS users_removed ON users (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS users_heavy ON users (subscription_id) WHERE octet_length(attributes) > 40000;
CREATE UNIQUE INDEX IF NOT EXISTS users_external_id ON users (subscription_id, source, external_id)
  WHERE external_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS users_known_name ON users (subscription_id, lower(trim(first_name || ' ' || last_name)))
  WHERE deleted_at IS NULL AND first_name || last_name <> '';
CREATE INDEX IF NOT EXISTS users_updated ON users (subscription_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS users_removed_list ON users (subscription_id, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS users_sign_in ON users (email) WHERE role <> 'idm_member' AND deleted_at IS NULL;
CREATE TRIGGER IF NOT EXISTS users_search_insert AFTER INSERT ON users
BEGIN
  INSERT INTO search_people (rowid, scope, title, body)
  VALUES (
    NEW.id * 16 + 2, 's' || NEW.subscription_id || 'k2', NEW.first_name || ' ' || NEW.last_name, NEW.email
  );
END;
CREATE TRIGGER IF NOT EXISTS users_search_update AFTER UPDATE OF first_name, last_name, email ON users
WHEN OLD.first_name <> NEW.first_name OR OLD.last_name <> NEW.last_name OR OLD.email <> NEW.email
BEGIN
  DELETE FROM search_people WHERE rowid = OLD.id * 16 + 2;
  INSERT INTO search_people (rowid, scope, title, body)
  VALUES (
    NEW.id * 16 + 2, 's' || NEW.subscription_id || 'k2', NEW.first_name || ' ' || NEW.last_name, NEW.email
  );
END;
CREATE TRIGGER IF NOT EXISTS users_search_delete AFTER DELETE ON users
BEGIN
  DELETE FROM search_people WHERE rowid = OLD.id * 16 + 2;
END;
CREATE TRIGGER IF NOT EXISTS users_revived AFTER UPDATE OF deleted_at ON users
WHEN OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL AND NEW.updated_at <> OLD.updated_at
BEGIN
  DELETE FROM detachments
  WHERE subscription_id = NEW.subscription_id
    AND kind = 'segment_member'
    AND removed_id = NEW.id;
  DELETE FROM team_members WHERE subscription_id = NEW.subscription_id AND user_id = NEW.id;
END;
CREATE TRIGGER IF NOT EXISTS users_external_id_inserted BEFORE INSERT ON users
WHEN NEW.external_id IS NOT NULL
BEGIN
  UPDATE users
  SET source = NULL,
    external_id = NULL,
    version = version + 1
  WHERE subscription_id = NEW.subscription_id
    AND source = NEW.source
    AND external_id = NEW.external_id
    AND deleted_at IS NOT NULL
    AND email <> NEW.email;
END;
CREATE TRIGGER IF NOT EXISTS users_external_id_updated BEFORE UPDATE OF source, external_id ON users
WHEN NEW.external_id IS NOT NULL AND (OLD.source, OLD.external_id) IS NOT (NEW.source, NEW.external_id)
BEGIN
  UPDATE users
  SET source = NULL,
    external_id = NULL,
    version = version + 1
  WHERE subscription_id = NEW.subscription_id
    AND source = NEW.source
    AND external_id = NEW.external_id
    AND deleted_at IS NOT NULL
    AND id <> NEW.id;
END;
CREATE TRIGGER IF NOT EXISTS users_new_role AFTER UPDATE OF role ON users
WHEN NEW.role <> OLD.role
BEGIN
  UPDATE api_keys SET revoked_at = NEW.updated_at
  WHERE subscription_id = NEW.subscription_id AND user_id = NEW.id AND kind = 'session' AND revoked_at IS NULL;
END;
CREATE TRIGGER IF NOT EXISTS users_new_address AFTER UPDATE OF email ON users
WHEN NEW.email <> OLD.email
  AND NOT EXISTS (SELECT 1 FROM workspace_moves WHERE workspace_id = NEW.subscription_id AND state = 'arriving')
BEGIN
  UPDATE users SET address_round = OLD.address_round + 1 WHERE id = NEW.id;
  UPDATE sign_ins SET used_at = NEW.updated_at
  WHERE subscription_id = NEW.subscription_id AND user_id = NEW.id AND used_at IS NULL;
END;

CREATE TABLE IF NOT EXISTS teams (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  color TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  version INTEGER NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX IF NOT EXISTS teams_name ON teams (subscription_id, name) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS teams_created ON teams (subscription_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS teams_removed ON teams (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS teams_tenant ON teams (subscription_id, id) WHERE id > 0;
CREATE INDEX IF NOT EXISTS teams_updated ON teams (subscription_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS teams_removed_list ON teams (subscription_id, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE TRIGGER IF NOT EXISTS teams_search_insert AFTER INSERT ON teams
BEGIN
  INSERT INTO search (rowid, scope, title, body)
  VALUES (NEW.id * 16 + 1, 's' || NEW.subscription_id || 'k1', NEW.name, '');
END;
CREATE TRIGGER IF NOT EXISTS teams_search_update AFTER UPDATE OF name ON teams
BEGIN
  DELETE FROM search WHERE rowid = OLD.id * 16 + 1;
  INSERT INTO search (rowid, scope, title, body)
  VALUES (NEW.id * 16 + 1, 's' || NEW.subscription_id || 'k1', NEW.name, '');
END;
CREATE TRIGGER IF NOT EXISTS teams_search_delete AFTER DELETE ON teams
BEGIN
  DELETE FROM search WHERE rowid = OLD.id * 16 + 1;
END;

CREATE TABLE IF NOT EXISTS team_members (
  subscription_id INTEGER NOT NULL,
  team_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, team_id, user_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS team_members_user ON team_members (subscription_id, user_id);

CREATE TABLE IF NOT EXISTS team_products (
  subscription_id INTEGER NOT NULL,
  team_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, team_id, product_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS team_products_product ON team_products (subscription_id, product_id);

CREATE TABLE IF NOT EXISTS products (
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
CREATE UNIQUE INDEX IF NOT EXISTS products_key ON products (subscription_id, external_key);
CREATE INDEX IF NOT EXISTS products_created ON products (subscription_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS products_removed ON products (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS products_updated ON products (subscription_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS products_removed_list ON products (subscription_id, deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE IF NOT EXISTS api_keys (
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
  revoked_at INTEGER,
  issued_by INTEGER,
  delegated INTEGER NOT NULL DEFAULT 0, -- 1: somebody else may know the token
  rotated_by INTEGER, -- key that made this key by rotation
  first_issued_by INTEGER -- key that made the first key of the rotations
, erase_at INTEGER, kind TEXT NOT NULL DEFAULT 'secret', retained INTEGER NOT NULL DEFAULT 0, origins TEXT);
CREATE UNIQUE INDEX IF NOT EXISTS api_keys_jti ON api_keys (subscription_id, jti);
CREATE INDEX IF NOT EXISTS api_keys_issued ON api_keys (subscription_id, issued_by) WHERE issued_by IS NOT NULL;
CREATE INDEX IF NOT EXISTS api_keys_rotated ON api_keys (subscription_id, rotated_by) WHERE rotated_by IS NOT NULL;
CREATE INDEX IF NOT EXISTS api_keys_first_issued ON api_keys (subscription_id, first_issued_by)
  WHERE first_issued_by IS NOT NULL;
CREATE INDEX IF NOT EXISTS api_keys_listed ON api_keys (subscription_id, created_at, id) WHERE kind <> 'session';
CREATE INDEX IF NOT EXISTS api_keys_sessions ON api_keys (subscription_id, user_id, created_at, id) WHERE kind = 'session';
CREATE INDEX IF NOT EXISTS api_keys_ended ON api_keys (min(expires_at, coalesce(revoked_at, expires_at)))
  WHERE kind = 'session' AND retained = 0;
CREATE TRIGGER IF NOT EXISTS api_keys_of_erased_workspace AFTER INSERT ON api_keys
WHEN EXISTS (SELECT 1 FROM subscriptions WHERE id = NEW.subscription_id AND erase_at IS NOT NULL)
BEGIN
  UPDATE api_keys
  SET erase_at = (SELECT erase_at FROM subscriptions WHERE id = NEW.subscription_id)
  WHERE id = NEW.id;
END;

CREATE TABLE IF NOT EXISTS detachments (
  subscription_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  removed_id INTEGER NOT NULL,
  holder_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, kind, removed_id, holder_id)
) WITHOUT ROWID;

CREATE VIEW IF NOT EXISTS refusal AS
SELECT NULL AS reason WHERE 0;
CREATE TRIGGER IF NOT EXISTS refusal_aborts INSTEAD OF INSERT ON refusal
BEGIN
  SELECT RAISE(ABORT, NEW.reason);
END;

CREATE TABLE IF NOT EXISTS counters (
  subscription_id INTEGER NOT NULL,
  prefix TEXT NOT NULL,
  value INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, prefix)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS placements (
  subscription_id INTEGER NOT NULL,
  rank TEXT NOT NULL,
  PRIMARY KEY (subscription_id)
) WITHOUT ROWID;

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

CREATE TABLE IF NOT EXISTS cron_runs (
  id INTEGER PRIMARY KEY,
  ran_at INTEGER NOT NULL,
  ms INTEGER NOT NULL,
  slowest_job TEXT NOT NULL,
  slowest_ms INTEGER NOT NULL,
  failed_jobs INTEGER NOT NULL
);

CREATE TABLE IF NOT EXISTS log (
  place INTEGER PRIMARY KEY, -- subscription_id << 32 | id
  subscription_id INTEGER NOT NULL,
  id INTEGER NOT NULL GENERATED ALWAYS AS (place & 4294967295) VIRTUAL,
  product_id INTEGER,
  type TEXT NOT NULL,
  actor_user_id INTEGER,
  actor_key TEXT,
  resource_key TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  person_id INTEGER,
  request_id TEXT,
  data TEXT NOT NULL,
  previous TEXT,
  origin TEXT, -- via:id of the source of a write within the service
  hops INTEGER -- number of webhooks in the chain up to the write
, cascade TEXT);
CREATE INDEX IF NOT EXISTS log_resource ON log (subscription_id, resource_key);
CREATE TRIGGER IF NOT EXISTS log_inserted_long AFTER INSERT ON log
WHEN octet_length(NEW.data) > 250000 OR octet_length(NEW.previous) > 250000
BEGIN
  UPDATE log
  SET data = iif(
    octet_length(NEW.data) > 250000,
    (
      SELECT json_set(shorter, '$.truncated', json('true'))
      FROM (
        SELECT (
          SELECT json_group_object(key, json(member))
          FROM (
            SELECT m.key,
              iif(
                m.type = 'text',
                json_quote(iif(length(m.atom) > c.cap, substr(m.atom, 1, c.cap) || '…', m.atom)),
                iif(
                  m.type = 'array',
                  iif(
                    length(m.value) > c.cap,
                    (
                      SELECT json_group_array(json(item))
                      FROM (
                        SELECT item, sum(length(item)) OVER (ROWS UNBOUNDED PRECEDING) AS upto
                        FROM (
                          SELECT iif(i.type IN ('object', 'array'), i.value, json_quote(i.value)) AS item
                          FROM json_each(m.value) i
                          LIMIT 2500
                        )
                      )
                      WHERE upto <= c.cap
                    ),
                    m.value
                  ),
                  iif(
                    m.type = 'object', m.value,
                    iif(m.type = 'true', 'true', iif(m.type = 'false', 'false', json_quote(m.atom)))
                  )
                )
              ) AS member
            FROM json_each(NEW.data) m
          )
        ) AS shorter
        FROM (SELECT column1 AS cap FROM (VALUES (20000), (2000), (200))) c
        LIMIT 3
      )
      WHERE octet_length(shorter) < 249980
      LIMIT 1
    ),
    NEW.data
  ),
    previous = iif(
      octet_length(NEW.previous) > 250000,
      (
        SELECT json_set(shorter, '$.truncated', json('true'))
        FROM (
          SELECT (
            SELECT json_group_object(key, json(member))
            FROM (
              SELECT m.key,
                iif(
                  m.type = 'text',
                  json_quote(iif(length(m.atom) > c.cap, substr(m.atom, 1, c.cap) || '…', m.atom)),
                  iif(
                    m.type = 'array',
                    iif(
                      length(m.value) > c.cap,
                      (
                        SELECT json_group_array(json(item))
                        FROM (
                          SELECT item, sum(length(item)) OVER (ROWS UNBOUNDED PRECEDING) AS upto
                          FROM (
                            SELECT iif(i.type IN ('object', 'array'), i.value, json_quote(i.value)) AS item
                            FROM json_each(m.value) i
                            LIMIT 2500
                          )
                        )
                        WHERE upto <= c.cap
                      ),
                      m.value
                    ),
                    iif(
                      m.type = 'object', m.value,
                      iif(m.type = 'true', 'true', iif(m.type = 'false', 'false', json_quote(m.atom)))
                    )
                  )
                ) AS member
              FROM json_each(NEW.previous) m
            )
          ) AS shorter
          FROM (SELECT column1 AS cap FROM (VALUES (20000), (2000), (200))) c
          LIMIT 3
        )
        WHERE octet_length(shorter) < 249980
        LIMIT 1
      ),
      NEW.previous
    )
  WHERE place = NEW.place;
END;
CREATE TRIGGER IF NOT EXISTS log_updated_long AFTER UPDATE OF data ON log
WHEN octet_length(NEW.data) > 250000 OR octet_length(NEW.previous) > 250000
BEGIN
  UPDATE log
  SET data = iif(
    octet_length(NEW.data) > 250000,
    (
      SELECT json_set(shorter, '$.truncated', json('true'))
      FROM (
        SELECT (
          SELECT json_group_object(key, json(member))
          FROM (
            SELECT m.key,
              iif(
                m.type = 'text',
                json_quote(iif(length(m.atom) > c.cap, substr(m.atom, 1, c.cap) || '…', m.atom)),
                iif(
                  m.type = 'array',
                  iif(
                    length(m.value) > c.cap,
                    (
                      SELECT json_group_array(json(item))
                      FROM (
                        SELECT item, sum(length(item)) OVER (ROWS UNBOUNDED PRECEDING) AS upto
                        FROM (
                          SELECT iif(i.type IN ('object', 'array'), i.value, json_quote(i.value)) AS item
                          FROM json_each(m.value) i
                          LIMIT 2500
                        )
                      )
                      WHERE upto <= c.cap
                    ),
                    m.value
                  ),
                  iif(
                    m.type = 'object', m.value,
                    iif(m.type = 'true', 'true', iif(m.type = 'false', 'false', json_quote(m.atom)))
                  )
                )
              ) AS member
            FROM json_each(NEW.data) m
          )
        ) AS shorter
        FROM (SELECT column1 AS cap FROM (VALUES (20000), (2000), (200))) c
        LIMIT 3
      )
      WHERE octet_length(shorter) < 249980
      LIMIT 1
    ),
    NEW.data
  ),
    previous = iif(
      octet_length(NEW.previous) > 250000,
      (
        SELECT json_set(shorter, '$.truncated', json('true'))
        FROM (
          SELECT (
            SELECT json_group_object(key, json(member))
            FROM (
              SELECT m.key,
                iif(
                  m.type = 'text',
                  json_quote(iif(length(m.atom) > c.cap, substr(m.atom, 1, c.cap) || '…', m.atom)),
                  iif(
                    m.type = 'array',
                    iif(
                      length(m.value) > c.cap,
                      (
                        SELECT json_group_array(json(item))
                        FROM (
                          SELECT item, sum(length(item)) OVER (ROWS UNBOUNDED PRECEDING) AS upto
                          FROM (
                            SELECT iif(i.type IN ('object', 'array'), i.value, json_quote(i.value)) AS item
                            FROM json_each(m.value) i
                            LIMIT 2500
                          )
                        )
                        WHERE upto <= c.cap
                      ),
                      m.value
                    ),
                    iif(
                      m.type = 'object', m.value,
                      iif(m.type = 'true', 'true', iif(m.type = 'false', 'false', json_quote(m.atom)))
                    )
                  )
                ) AS member
              FROM json_each(NEW.previous) m
            )
          ) AS shorter
          FROM (SELECT column1 AS cap FROM (VALUES (20000), (2000), (200))) c
          LIMIT 3
        )
        WHERE octet_length(shorter) < 249980
        LIMIT 1
      ),
      NEW.previous
    )
  WHERE place = NEW.place;
END;

CREATE TABLE IF NOT EXISTS log_keeping (
  subscription_id INTEGER NOT NULL,
  next_look_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS log_keeping_due ON log_keeping (next_look_at);

CREATE VIRTUAL TABLE IF NOT EXISTS search USING fts5 (
  scope,
  title,
  body,
  content = '',
  contentless_delete = 1,
  tokenize = 'unicode61 remove_diacritics 2',
  prefix = '2'
);
INSERT INTO search (search, rank) VALUES ('automerge', 8);
INSERT INTO search (search, rank) VALUES ('crisismerge', 32);

CREATE VIRTUAL TABLE IF NOT EXISTS search_people USING fts5 (
  scope,
  title,
  body,
  content = '',
  contentless_delete = 1,
  tokenize = 'unicode61 remove_diacritics 2',
  prefix = '2'
);
INSERT INTO search_people (search_people, rank) VALUES ('automerge', 16);
INSERT INTO search_people (search_people, rank) VALUES ('crisismerge', 64);

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
, excluded_origins TEXT NOT NULL DEFAULT '[]');
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
CREATE INDEX IF NOT EXISTS webhooks_updated ON webhooks (subscription_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS webhooks_removed_list ON webhooks (subscription_id, deleted_at) WHERE deleted_at IS NOT NULL;

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
, except_authors TEXT NOT NULL DEFAULT '[]');
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
CREATE INDEX IF NOT EXISTS incoming_webhooks_updated
  ON incoming_webhooks (subscription_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS incoming_webhooks_removed_list
  ON incoming_webhooks (subscription_id, deleted_at) WHERE deleted_at IS NOT NULL;

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
CREATE INDEX IF NOT EXISTS incoming_receipts_kept ON incoming_receipts (subscription_id, incoming_webhook_id, created_at, id)
  WHERE payload IS NOT NULL AND status <> 'queued';

CREATE TABLE IF NOT EXISTS assets (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  object_key TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT,
  size INTEGER NOT NULL, -- bytes
  mime TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  used_at TEXT NOT NULL DEFAULT '',
  artifact_id INTEGER, -- last work item with the file
  status TEXT NOT NULL DEFAULT 'active',
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE UNIQUE INDEX IF NOT EXISTS assets_object ON assets (subscription_id, object_key);
CREATE INDEX IF NOT EXISTS assets_created ON assets (product_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS assets_removed ON assets (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS assets_updated ON assets (product_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS assets_removed_list ON assets (product_id, deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE IF NOT EXISTS attachments (
  subscription_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  holder_id INTEGER NOT NULL,
  asset_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, kind, holder_id, asset_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS attachments_asset ON attachments (subscription_id, asset_id);

CREATE TABLE IF NOT EXISTS imports (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  reference TEXT NOT NULL, -- random, names the run in the batch that creates it
  kind TEXT NOT NULL,
  area TEXT NOT NULL,
  product_id INTEGER, -- NULL for the whole workspace
  segment_id INTEGER,
  status TEXT NOT NULL,
  file_name TEXT NOT NULL,
  file_type TEXT NOT NULL,
  object_key TEXT,
  on_conflict TEXT NOT NULL,
  mapping TEXT NOT NULL,
  header TEXT NOT NULL,
  user_id INTEGER NOT NULL,
  total INTEGER NOT NULL,
  done INTEGER NOT NULL DEFAULT 0,
  created INTEGER NOT NULL DEFAULT 0,
  updated INTEGER NOT NULL DEFAULT 0,
  rejected INTEGER NOT NULL DEFAULT 0,
  kept INTEGER NOT NULL DEFAULT 0,
  problem TEXT,
  next_attempt_at INTEGER, -- NULL without work for the queue or the cron
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  finished_at INTEGER,
  version INTEGER NOT NULL DEFAULT 1,
  invite_url TEXT,
  limited INTEGER NOT NULL DEFAULT 0 -- 1: run of a key that is limited to products, which creates no members
);
CREATE UNIQUE INDEX IF NOT EXISTS imports_reference ON imports (subscription_id, reference);
CREATE INDEX IF NOT EXISTS imports_created ON imports (subscription_id, created_at, id);
CREATE INDEX IF NOT EXISTS imports_product ON imports (subscription_id, product_id, created_at, id);
CREATE INDEX IF NOT EXISTS imports_due ON imports (subscription_id, next_attempt_at)
  WHERE status IN ('pending', 'running', 'undoing');
CREATE INDEX IF NOT EXISTS imports_ended ON imports (next_attempt_at)
  WHERE next_attempt_at IS NOT NULL AND status NOT IN ('pending', 'running', 'undoing');
CREATE INDEX IF NOT EXISTS imports_object ON imports (subscription_id, object_key) WHERE object_key IS NOT NULL;
CREATE INDEX IF NOT EXISTS imports_updated ON imports (subscription_id, updated_at, id);

CREATE TABLE IF NOT EXISTS import_rows (
  subscription_id INTEGER NOT NULL,
  import_id INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  row INTEGER NOT NULL,
  record_id INTEGER,
  previous TEXT,
  version INTEGER,
  joined INTEGER NOT NULL DEFAULT 0,
  parent_row INTEGER, -- row of the parent in the same file
  field TEXT,
  value TEXT,
  reason TEXT,
  cells TEXT,
  PRIMARY KEY (subscription_id, import_id, outcome, row)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS import_rows_record ON import_rows (subscription_id, record_id) WHERE record_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS import_rows_parent ON import_rows (subscription_id, import_id, parent_row)
  WHERE parent_row IS NOT NULL;

CREATE TABLE IF NOT EXISTS work_items (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('epic', 'feature', 'userstory')),
  external_key TEXT NOT NULL,
  epic_id INTEGER,
  feature_id INTEGER,
  rank TEXT NOT NULL, -- fractional index in base 62
  status TEXT NOT NULL DEFAULT 'active',
  summary TEXT NOT NULL,
  color TEXT NOT NULL DEFAULT '',
  progress TEXT NOT NULL DEFAULT 'to-do',
  progress_percentage INTEGER NOT NULL DEFAULT 0,
  first_child TEXT NOT NULL DEFAULT '',
  backlog INTEGER NOT NULL DEFAULT 1,
  description TEXT NOT NULL DEFAULT '',
  business_goal TEXT NOT NULL DEFAULT '',
  personas TEXT NOT NULL DEFAULT '[]',
  team_id INTEGER,
  user_ids TEXT NOT NULL DEFAULT '[]',
  start_date INTEGER,
  end_date INTEGER,
  tags TEXT NOT NULL DEFAULT '[]',
  urls TEXT NOT NULL DEFAULT '[]',
  jira_id TEXT NOT NULL DEFAULT '',
  jira_key TEXT NOT NULL DEFAULT '',
  external_progress TEXT NOT NULL DEFAULT '',
  estimate TEXT NOT NULL DEFAULT '',
  business_value TEXT NOT NULL DEFAULT '',
  story_point TEXT NOT NULL DEFAULT '',
  remaining_time TEXT NOT NULL DEFAULT '',
  score INTEGER NOT NULL DEFAULT 0, -- hundredths
  scoring TEXT,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  attributes TEXT NOT NULL DEFAULT '{}',
  business_value_number REAL GENERATED ALWAYS AS (
    iif(business_value = '', NULL, CAST(business_value AS REAL))
  ) VIRTUAL,
  -- millionths
  points INTEGER GENERATED ALWAYS AS (
    iif(
      trim(iif(type = 'userstory', story_point, estimate)) GLOB '*[0-9]*'
        AND trim(iif(type = 'userstory', story_point, estimate)) NOT GLOB '*[^0-9.]*'
        AND iif(type = 'userstory', story_point, estimate) NOT GLOB '*.*.*',
      CAST(round(min(CAST(iif(type = 'userstory', story_point, estimate) AS REAL), 1000000) * 1000000) AS INTEGER),
      0
    )
  ) VIRTUAL
);
CREATE UNIQUE INDEX IF NOT EXISTS work_items_key ON work_items (subscription_id, external_key);
CREATE INDEX IF NOT EXISTS work_items_created ON work_items (product_id, type, created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS work_items_epic ON work_items (subscription_id, epic_id) WHERE epic_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS work_items_feature ON work_items (subscription_id, feature_id)
  WHERE feature_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS work_items_team ON work_items (subscription_id, team_id) WHERE team_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS work_items_removed ON work_items (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS work_items_heavy ON work_items (subscription_id)
  WHERE octet_length(description) + octet_length(business_goal) + octet_length(personas)
    + octet_length(tags) + octet_length(urls) + octet_length(attributes) > 40000;
CREATE INDEX IF NOT EXISTS work_items_rank ON work_items (product_id, type, rank, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS work_items_updated ON work_items (product_id, type, updated_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS work_items_score ON work_items (product_id, type, score, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS work_items_value ON work_items (product_id, type, business_value_number, id)
  WHERE deleted_at IS NULL AND business_value_number IS NOT NULL;
CREATE INDEX IF NOT EXISTS work_items_start ON work_items (product_id, type, start_date, id)
  WHERE deleted_at IS NULL AND start_date IS NOT NULL;
CREATE INDEX IF NOT EXISTS work_items_end ON work_items (product_id, type, end_date, id)
  WHERE deleted_at IS NULL AND end_date IS NOT NULL;
CREATE INDEX IF NOT EXISTS work_items_jira_key ON work_items (product_id, jira_key) WHERE jira_key <> '';
CREATE INDEX IF NOT EXISTS work_items_jira_id ON work_items (product_id, jira_id) WHERE jira_id <> '';
CREATE INDEX IF NOT EXISTS work_items_removed_rank ON work_items (product_id, type, rank, id)
  WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS work_items_assigned ON work_items (subscription_id, user_ids)
  WHERE user_ids <> '[]' AND deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS work_items_removed_list
  ON work_items (product_id, type, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS work_items_all_created
  ON work_items (subscription_id, created_at, id) WHERE deleted_at IS NULL AND product_id > 0;
CREATE INDEX IF NOT EXISTS work_items_all_updated
  ON work_items (subscription_id, updated_at, id) WHERE deleted_at IS NULL AND product_id > 0;
CREATE INDEX IF NOT EXISTS work_items_all_removed
  ON work_items (subscription_id, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE TRIGGER IF NOT EXISTS work_items_recounted AFTER UPDATE OF deleted_at ON work_items
WHEN (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL)
BEGIN
  UPDATE tags
  SET usage_count = usage_count + iif(NEW.deleted_at IS NULL, 1, -1)
  WHERE product_id = NEW.product_id
    AND deleted_at IS NULL
    AND slug IN (
      SELECT slug
      FROM work_item_tags
      WHERE subscription_id = NEW.subscription_id
        AND work_item_id = NEW.id
    );
END;
CREATE TRIGGER IF NOT EXISTS work_items_search_insert AFTER INSERT ON work_items
BEGIN
  INSERT INTO search (rowid, scope, title, body)
  VALUES (
    NEW.id * 16 + 5, 's' || NEW.subscription_id || 'k5 p' || NEW.product_id || NEW.type, NEW.summary,
    NEW.external_key || ' ' || NEW.jira_key || ' ' || NEW.tags || ' ' || iif(
      NEW.description = '', '',
      (
        SELECT group_concat(substr(value, instr(value, '>') + 1), ' ')
        FROM json_each(
          '[' || replace(json_quote(substr(NEW.description, 1, 20000)), '<', '","') || ']'
        )
      )
    )
  );
END;
CREATE TRIGGER IF NOT EXISTS work_items_search_update
AFTER UPDATE OF summary, description, tags, jira_key, external_key, type ON work_items
WHEN OLD.summary <> NEW.summary
  OR OLD.description <> NEW.description
  OR OLD.tags <> NEW.tags
  OR OLD.jira_key <> NEW.jira_key
  OR OLD.external_key <> NEW.external_key
  OR OLD.type <> NEW.type
BEGIN
  DELETE FROM search WHERE rowid = OLD.id * 16 + 5;
  INSERT INTO search (rowid, scope, title, body)
  VALUES (
    NEW.id * 16 + 5, 's' || NEW.subscription_id || 'k5 p' || NEW.product_id || NEW.type, NEW.summary,
    NEW.external_key || ' ' || NEW.jira_key || ' ' || NEW.tags || ' ' || iif(
      NEW.description = '', '',
      (
        SELECT group_concat(substr(value, instr(value, '>') + 1), ' ')
        FROM json_each(
          '[' || replace(json_quote(substr(NEW.description, 1, 20000)), '<', '","') || ']'
        )
      )
    )
  );
END;
CREATE TRIGGER IF NOT EXISTS work_items_search_delete AFTER DELETE ON work_items
BEGIN
  DELETE FROM search WHERE rowid = OLD.id * 16 + 5;
END;
CREATE TRIGGER IF NOT EXISTS work_items_progress_followed AFTER UPDATE OF progress ON work_items
WHEN NEW.progress IS NOT OLD.progress
  AND EXISTS (
    SELECT 1
    FROM feedback_items
    WHERE subscription_id = NEW.subscription_id
      AND work_item_id = NEW.id
      AND deleted_at IS NULL
  )
BEGIN
  UPDATE feedback_items
  SET status_id = s.id, updated_at = NEW.updated_at, version = feedback_items.version + 1
  FROM (
    SELECT id
    FROM feedback_statuses
    WHERE subscription_id = NEW.subscription_id
      AND progress = NEW.progress
      AND deleted_at IS NULL
    ORDER BY position, id
    LIMIT 1
  ) s
  WHERE feedback_items.subscription_id = NEW.subscription_id
    AND feedback_items.work_item_id = NEW.id
    AND feedback_items.deleted_at IS NULL
    AND feedback_items.status_id IS NOT s.id;
END;
CREATE TRIGGER IF NOT EXISTS work_items_restored_kpis AFTER UPDATE OF deleted_at ON work_items
WHEN OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL
BEGIN
  UPDATE kpis
  SET linked = 1
  WHERE linked = 0
    AND id IN (
      SELECT kpi_id
      FROM work_item_kpis
      WHERE subscription_id = OLD.subscription_id
        AND work_item_id = OLD.id
    );
END;
CREATE TRIGGER IF NOT EXISTS work_items_removed_kpis AFTER UPDATE OF deleted_at ON work_items
WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL
BEGIN
  UPDATE kpis
  SET linked = 0
  WHERE linked = 1
    AND id IN (
      SELECT kpi_id
      FROM work_item_kpis
      WHERE subscription_id = OLD.subscription_id
        AND work_item_id = OLD.id
    )
    AND (
      SELECT l.work_item_id
      FROM work_item_kpis l
      CROSS JOIN work_items w
        ON w.id = l.work_item_id
        AND w.deleted_at IS NULL
      WHERE l.subscription_id = kpis.subscription_id
        AND l.kpi_id = kpis.id
      ORDER BY l.work_item_id DESC
      LIMIT 1
    ) IS NULL;
END;
CREATE TRIGGER IF NOT EXISTS work_items_rolled_up_insert AFTER INSERT ON work_items
WHEN NEW.deleted_at IS NULL AND coalesce(NEW.epic_id, NEW.feature_id) IS NOT NULL
BEGIN
  INSERT INTO work_item_rollups
  SELECT NEW.subscription_id, parent, 1, NEW.points,
    iif(NEW.progress = 'done', NEW.points, 0),
    NEW.points * percent, percent
  FROM (
    SELECT NEW.epic_id AS parent, iif(NEW.progress = 'done', 100, NEW.progress_percentage) AS percent
    UNION ALL
    SELECT NEW.feature_id, iif(NEW.progress = 'done', 100, NEW.progress_percentage)
  )
  WHERE parent IS NOT NULL
  ON CONFLICT DO UPDATE
  SET leaves = leaves + 1,
    points = points + excluded.points,
    done = done + excluded.done,
    weighted = weighted + excluded.weighted,
    percent = percent + excluded.percent;
END;
CREATE TRIGGER IF NOT EXISTS work_items_rolled_up_update
AFTER UPDATE OF type, epic_id, feature_id, deleted_at, progress, progress_percentage, story_point,
  estimate ON work_items
WHEN coalesce(OLD.epic_id, OLD.feature_id, NEW.epic_id, NEW.feature_id) IS NOT NULL
  AND (
    OLD.epic_id,
    OLD.feature_id,
    OLD.deleted_at IS NULL,
    OLD.points,
    OLD.progress = 'done',
    OLD.progress_percentage
  ) IS NOT (
    NEW.epic_id,
    NEW.feature_id,
    NEW.deleted_at IS NULL,
    NEW.points,
    NEW.progress = 'done',
    NEW.progress_percentage
  )
  AND NOT EXISTS (
    SELECT 1
    FROM work_item_rollups
    WHERE subscription_id = NEW.subscription_id
      AND work_item_id = NEW.id
      AND leaves > 0
  )
BEGIN
  INSERT INTO work_item_rollups
  SELECT NEW.subscription_id, parent,
    sum(sign),
    sum(sign * points),
    sum(sign * done),
    sum(sign * points * percent),
    sum(sign * percent)
  FROM (
    SELECT OLD.epic_id AS parent, -1 AS sign, OLD.points AS points,
      iif(OLD.progress = 'done', OLD.points, 0) AS done,
      iif(OLD.progress = 'done', 100, OLD.progress_percentage) AS percent
    WHERE OLD.deleted_at IS NULL
    UNION ALL
    SELECT OLD.feature_id, -1, OLD.points,
      iif(OLD.progress = 'done', OLD.points, 0),
      iif(OLD.progress = 'done', 100, OLD.progress_percentage)
    WHERE OLD.deleted_at IS NULL
    UNION ALL
    SELECT NEW.epic_id, 1, NEW.points,
      iif(NEW.progress = 'done', NEW.points, 0),
      iif(NEW.progress = 'done', 100, NEW.progress_percentage)
    WHERE NEW.deleted_at IS NULL
    UNION ALL
    SELECT NEW.feature_id, 1, NEW.points,
      iif(NEW.progress = 'done', NEW.points, 0),
      iif(NEW.progress = 'done', 100, NEW.progress_percentage)
    WHERE NEW.deleted_at IS NULL
  )
  WHERE parent IS NOT NULL
  GROUP BY parent
  HAVING (
    sum(sign), sum(sign * points), sum(sign * done), sum(sign * points * percent), sum(sign * percent)
  ) <> (0, 0, 0, 0, 0)
  ON CONFLICT DO UPDATE
  SET leaves = leaves + excluded.leaves,
    points = points + excluded.points,
    done = done + excluded.done,
    weighted = weighted + excluded.weighted,
    percent = percent + excluded.percent;
END;
CREATE TRIGGER IF NOT EXISTS work_items_rolled_up_delete AFTER DELETE ON work_items
BEGIN
  UPDATE work_item_rollups
  SET leaves = leaves - 1,
    points = points - OLD.points,
    done = done - iif(OLD.progress = 'done', OLD.points, 0),
    weighted = weighted - OLD.points * iif(OLD.progress = 'done', 100, OLD.progress_percentage),
    percent = percent - iif(OLD.progress = 'done', 100, OLD.progress_percentage)
  WHERE OLD.deleted_at IS NULL
    AND subscription_id = OLD.subscription_id
    AND work_item_id IN (OLD.epic_id, OLD.feature_id)
    AND NOT EXISTS (
      SELECT 1
      FROM work_item_rollups r
      WHERE r.subscription_id = OLD.subscription_id
        AND r.work_item_id = OLD.id
        AND r.leaves > 0
    );
  DELETE FROM work_item_rollups WHERE subscription_id = OLD.subscription_id AND work_item_id = OLD.id;
END;

CREATE TABLE IF NOT EXISTS work_item_rollups (
  subscription_id INTEGER NOT NULL,
  work_item_id INTEGER NOT NULL,
  leaves INTEGER NOT NULL,
  points INTEGER NOT NULL, -- millionths
  done INTEGER NOT NULL,
  weighted INTEGER NOT NULL, -- points times percent
  percent INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, work_item_id)
) WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS work_item_rollups_first_leaf AFTER INSERT ON work_item_rollups
WHEN NEW.leaves > 0
BEGIN
  UPDATE work_item_rollups
  SET leaves = leaves - 1,
    points = work_item_rollups.points - f.points,
    done = done - iif(f.progress = 'done', f.points, 0),
    weighted = weighted - f.points * iif(f.progress = 'done', 100, f.progress_percentage),
    percent = percent - iif(f.progress = 'done', 100, f.progress_percentage)
  FROM work_items f
  WHERE f.id = NEW.work_item_id
    AND f.subscription_id = NEW.subscription_id
    AND f.deleted_at IS NULL
    AND work_item_rollups.subscription_id = NEW.subscription_id
    AND work_item_rollups.work_item_id = f.epic_id;
END;
CREATE TRIGGER IF NOT EXISTS work_item_rollups_leaves AFTER UPDATE OF leaves ON work_item_rollups
WHEN (OLD.leaves > 0) <> (NEW.leaves > 0)
BEGIN
  INSERT INTO work_item_rollups
  SELECT f.subscription_id, f.epic_id, sign, sign * f.points,
    sign * iif(f.progress = 'done', f.points, 0),
    sign * f.points * iif(f.progress = 'done', 100, f.progress_percentage),
    sign * iif(f.progress = 'done', 100, f.progress_percentage)
  FROM (SELECT iif(NEW.leaves > 0, -1, 1) AS sign)
  CROSS JOIN work_items f
  WHERE f.id = NEW.work_item_id
    AND f.subscription_id = NEW.subscription_id
    AND f.deleted_at IS NULL
    AND f.epic_id IS NOT NULL
  ON CONFLICT DO UPDATE
  SET leaves = leaves + excluded.leaves,
    points = points + excluded.points,
    done = done + excluded.done,
    weighted = weighted + excluded.weighted,
    percent = percent + excluded.percent;
END;

CREATE TABLE IF NOT EXISTS work_item_files (
  subscription_id INTEGER NOT NULL,
  work_item_id INTEGER NOT NULL,
  asset_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, work_item_id, asset_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS work_item_files_asset ON work_item_files (subscription_id, asset_id);

CREATE TABLE IF NOT EXISTS work_item_kpis (
  subscription_id INTEGER NOT NULL,
  work_item_id INTEGER NOT NULL,
  kpi_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, work_item_id, kpi_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS work_item_kpis_kpi ON work_item_kpis (subscription_id, kpi_id);
CREATE TRIGGER IF NOT EXISTS work_item_kpis_linked AFTER INSERT ON work_item_kpis
BEGIN
  UPDATE kpis SET linked = 1 WHERE id = NEW.kpi_id AND linked = 0;
END;
CREATE TRIGGER IF NOT EXISTS work_item_kpis_unlinked AFTER DELETE ON work_item_kpis
BEGIN
  UPDATE kpis
  SET linked = 0
  WHERE id = OLD.kpi_id
    AND linked = 1
    AND (
      SELECT l.work_item_id
      FROM work_item_kpis l
      CROSS JOIN work_items w
        ON w.id = l.work_item_id
        AND w.deleted_at IS NULL
      WHERE l.subscription_id = OLD.subscription_id
        AND l.kpi_id = OLD.kpi_id
      ORDER BY l.work_item_id DESC
      LIMIT 1
    ) IS NULL;
END;

CREATE TABLE IF NOT EXISTS work_item_tags (
  subscription_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  slug TEXT NOT NULL,
  work_item_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, product_id, slug, work_item_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS work_item_tags_item ON work_item_tags (subscription_id, work_item_id);
CREATE TRIGGER IF NOT EXISTS work_item_tags_counted AFTER INSERT ON work_item_tags
BEGIN
  UPDATE tags
  SET usage_count = usage_count + 1
  WHERE product_id = NEW.product_id
    AND slug = NEW.slug
    AND deleted_at IS NULL;
END;
CREATE TRIGGER IF NOT EXISTS work_item_tags_uncounted AFTER DELETE ON work_item_tags
BEGIN
  UPDATE tags
  SET usage_count = usage_count - 1
  WHERE product_id = OLD.product_id
    AND slug = OLD.slug
    AND deleted_at IS NULL;
END;

CREATE TABLE IF NOT EXISTS work_item_keys (
  subscription_id INTEGER NOT NULL,
  external_key TEXT NOT NULL,
  work_item_id INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, external_key)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS work_item_keys_item ON work_item_keys (subscription_id, work_item_id);

CREATE TABLE IF NOT EXISTS work_item_foreign_ids (
  subscription_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  source TEXT NOT NULL,
  foreign_id TEXT NOT NULL,
  work_item_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, product_id, source, foreign_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS work_item_foreign_ids_item ON work_item_foreign_ids (subscription_id, work_item_id);
CREATE INDEX IF NOT EXISTS work_item_foreign_ids_id ON work_item_foreign_ids (subscription_id, foreign_id);

CREATE TABLE IF NOT EXISTS work_item_links (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL, -- product of the item that got the link
  from_id INTEGER NOT NULL,
  to_id INTEGER NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('blocks', 'relates', 'duplicates')),
  created_at INTEGER NOT NULL
);
CREATE UNIQUE INDEX IF NOT EXISTS work_item_links_to ON work_item_links (subscription_id, to_id, type, from_id);
CREATE INDEX IF NOT EXISTS work_item_links_from ON work_item_links (subscription_id, from_id, type, to_id);

CREATE TABLE IF NOT EXISTS work_item_bulk (
  subscription_id INTEGER NOT NULL,
  n INTEGER NOT NULL,
  op TEXT NOT NULL,
  type TEXT NOT NULL,
  target_id INTEGER, -- existing item
  item_id INTEGER,
  external_key TEXT,
  parent INTEGER, -- n of the operation that creates the parent
  body TEXT NOT NULL,
  problem TEXT,
  PRIMARY KEY (subscription_id, n)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS work_item_bulk_target ON work_item_bulk (subscription_id, target_id)
  WHERE target_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS work_item_bulk_parent ON work_item_bulk (subscription_id, parent, target_id)
  WHERE parent IS NOT NULL;

CREATE TABLE IF NOT EXISTS work_item_comments (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  work_item_id INTEGER NOT NULL,
  parent_id INTEGER,
  user_id INTEGER NOT NULL,
  text TEXT NOT NULL,
  is_private INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  mentions TEXT NOT NULL DEFAULT '[]',
  version INTEGER NOT NULL DEFAULT 1,
  tombstone INTEGER NOT NULL DEFAULT 0, -- 1: removed with replies, 2: text deleted for good
  removed_text TEXT
, source TEXT, external_id TEXT);
CREATE INDEX IF NOT EXISTS work_item_comments_thread
  ON work_item_comments (subscription_id, work_item_id, created_at, id)
  WHERE deleted_at IS NULL OR tombstone > 0;
CREATE INDEX IF NOT EXISTS work_item_comments_parent ON work_item_comments (subscription_id, parent_id)
  WHERE parent_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS work_item_comments_heavy ON work_item_comments (subscription_id)
  WHERE octet_length(text) > 40000;
CREATE INDEX IF NOT EXISTS work_item_comments_removed ON work_item_comments (deleted_at)
  WHERE deleted_at IS NOT NULL AND tombstone = 0;
CREATE INDEX IF NOT EXISTS work_item_comments_tomb_removed ON work_item_comments (deleted_at) WHERE tombstone = 1;
CREATE INDEX IF NOT EXISTS work_item_comments_tenant ON work_item_comments (subscription_id, id) WHERE id > 0;
CREATE INDEX IF NOT EXISTS work_item_comments_user ON work_item_comments (subscription_id, user_id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS work_item_comments_updated
  ON work_item_comments (subscription_id, work_item_id, updated_at, id)
  WHERE (deleted_at IS NULL OR tombstone > 0) AND version > 0;
CREATE INDEX IF NOT EXISTS work_item_comments_external_id
  ON work_item_comments (subscription_id, work_item_id, source, external_id) WHERE external_id IS NOT NULL;

CREATE TABLE IF NOT EXISTS story_maps (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  title TEXT NOT NULL,
  description TEXT,
  part_count INTEGER NOT NULL DEFAULT 0, -- activities, steps and swimlanes, counted by triggers
  card_count INTEGER NOT NULL DEFAULT 0, -- counted by triggers
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE INDEX IF NOT EXISTS story_maps_created ON story_maps (product_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS story_maps_removed ON story_maps (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS story_maps_heavy ON story_maps (subscription_id)
  WHERE coalesce(octet_length(description), 0) > 40000;
CREATE INDEX IF NOT EXISTS story_maps_tenant ON story_maps (subscription_id, id) WHERE id > 0;
CREATE INDEX IF NOT EXISTS story_maps_updated ON story_maps (product_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS story_maps_removed_list ON story_maps (product_id, deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE IF NOT EXISTS story_map_activities (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  story_map_id INTEGER NOT NULL,
  title TEXT NOT NULL,
  color TEXT,
  rank TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS story_map_activities_rank ON story_map_activities (subscription_id, story_map_id, rank);
CREATE TRIGGER IF NOT EXISTS story_map_activities_counted AFTER INSERT ON story_map_activities
BEGIN
  UPDATE story_maps SET part_count = part_count + 1 WHERE id = NEW.story_map_id;
END;
CREATE TRIGGER IF NOT EXISTS story_map_activities_uncounted AFTER DELETE ON story_map_activities
BEGIN
  UPDATE story_maps SET part_count = part_count - 1 WHERE id = OLD.story_map_id;
END;

CREATE TABLE IF NOT EXISTS story_map_steps (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  story_map_id INTEGER NOT NULL,
  activity_id INTEGER NOT NULL,
  title TEXT NOT NULL,
  color TEXT,
  rank TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS story_map_steps_rank ON story_map_steps (subscription_id, story_map_id, activity_id, rank);
CREATE TRIGGER IF NOT EXISTS story_map_steps_counted AFTER INSERT ON story_map_steps
BEGIN
  UPDATE story_maps SET part_count = part_count + 1 WHERE id = NEW.story_map_id;
END;
CREATE TRIGGER IF NOT EXISTS story_map_steps_uncounted AFTER DELETE ON story_map_steps
BEGIN
  UPDATE story_maps SET part_count = part_count - 1 WHERE id = OLD.story_map_id;
END;

CREATE TABLE IF NOT EXISTS story_map_swimlanes (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  story_map_id INTEGER NOT NULL,
  title TEXT NOT NULL,
  solution_version_id INTEGER,
  rank TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS story_map_swimlanes_rank ON story_map_swimlanes (subscription_id, story_map_id, rank);
CREATE INDEX IF NOT EXISTS story_map_swimlanes_version ON story_map_swimlanes (subscription_id, solution_version_id)
  WHERE solution_version_id IS NOT NULL;
CREATE TRIGGER IF NOT EXISTS story_map_swimlanes_counted AFTER INSERT ON story_map_swimlanes
BEGIN
  UPDATE story_maps SET part_count = part_count + 1 WHERE id = NEW.story_map_id;
END;
CREATE TRIGGER IF NOT EXISTS story_map_swimlanes_uncounted AFTER DELETE ON story_map_swimlanes
BEGIN
  UPDATE story_maps SET part_count = part_count - 1 WHERE id = OLD.story_map_id;
END;

CREATE TABLE IF NOT EXISTS story_map_cards (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  story_map_id INTEGER NOT NULL,
  step_id INTEGER NOT NULL,
  swimlane_id INTEGER,
  work_item_id INTEGER NOT NULL,
  rank TEXT NOT NULL
);
CREATE UNIQUE INDEX IF NOT EXISTS story_map_cards_story
  ON story_map_cards (subscription_id, work_item_id, story_map_id);
CREATE INDEX IF NOT EXISTS story_map_cards_rank ON story_map_cards (subscription_id, story_map_id, step_id, rank);
CREATE INDEX IF NOT EXISTS story_map_cards_swimlane ON story_map_cards (subscription_id, swimlane_id)
  WHERE swimlane_id IS NOT NULL;
CREATE TRIGGER IF NOT EXISTS story_map_cards_counted AFTER INSERT ON story_map_cards
BEGIN
  UPDATE story_maps SET card_count = card_count + 1 WHERE id = NEW.story_map_id;
END;
CREATE TRIGGER IF NOT EXISTS story_map_cards_uncounted AFTER DELETE ON story_map_cards
BEGIN
  UPDATE story_maps SET card_count = card_count - 1 WHERE id = OLD.story_map_id;
END;

CREATE TABLE IF NOT EXISTS solution_versions (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  external_key TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT,
  status TEXT NOT NULL DEFAULT 'planned' CHECK (status IN ('planned', 'in-progress', 'released', 'archived')),
  start_date INTEGER,
  release_date INTEGER,
  released_at INTEGER, -- a released version can only be archived
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
, planned_status TEXT, planned_release_date INTEGER, revocable_until INTEGER);
CREATE UNIQUE INDEX IF NOT EXISTS solution_versions_key ON solution_versions (subscription_id, external_key);
CREATE INDEX IF NOT EXISTS solution_versions_created ON solution_versions (product_id, created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS solution_versions_release ON solution_versions (product_id, release_date, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS solution_versions_removed ON solution_versions (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS solution_versions_heavy ON solution_versions (subscription_id)
  WHERE coalesce(octet_length(description), 0) > 40000;
CREATE INDEX IF NOT EXISTS solution_versions_name ON solution_versions (product_id, name) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS solution_versions_updated
  ON solution_versions (product_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS solution_versions_removed_list
  ON solution_versions (product_id, deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE IF NOT EXISTS solution_version_items (
  subscription_id INTEGER NOT NULL,
  solution_version_id INTEGER NOT NULL,
  work_item_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, solution_version_id, work_item_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS solution_version_items_item ON solution_version_items (subscription_id, work_item_id);

CREATE TABLE IF NOT EXISTS feedback_statuses (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  slug TEXT NOT NULL,
  color TEXT,
  position INTEGER NOT NULL,
  ends_voting INTEGER NOT NULL DEFAULT 0,
  progress TEXT, -- progress of a work item that sets the status
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE INDEX IF NOT EXISTS feedback_statuses_position ON feedback_statuses (subscription_id, position, id)
  WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX IF NOT EXISTS feedback_statuses_slug ON feedback_statuses (subscription_id, slug)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS feedback_statuses_progress ON feedback_statuses (subscription_id, progress, position, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS feedback_statuses_removed ON feedback_statuses (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS feedback_statuses_tenant ON feedback_statuses (subscription_id, id) WHERE id > 0;
CREATE INDEX IF NOT EXISTS feedback_statuses_updated
  ON feedback_statuses (subscription_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS feedback_statuses_removed_list
  ON feedback_statuses (subscription_id, deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE IF NOT EXISTS feedback_categories (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  description TEXT,
  slug TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  version INTEGER NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX IF NOT EXISTS feedback_categories_slug ON feedback_categories (subscription_id, slug)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS feedback_categories_removed ON feedback_categories (deleted_at)
  WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS feedback_categories_tenant ON feedback_categories (subscription_id, id) WHERE id > 0;
CREATE INDEX IF NOT EXISTS feedback_categories_updated
  ON feedback_categories (subscription_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS feedback_categories_removed_list
  ON feedback_categories (subscription_id, deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE IF NOT EXISTS feedback_items (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  external_key TEXT NOT NULL,
  type TEXT NOT NULL DEFAULT 'idea',
  slug TEXT NOT NULL,
  title TEXT NOT NULL,
  target_audience TEXT NOT NULL DEFAULT '',
  value_proposition TEXT NOT NULL DEFAULT '',
  category_id INTEGER,
  short_description TEXT,
  long_description TEXT NOT NULL DEFAULT '',
  video_url TEXT,
  icon_url TEXT,
  cover_photo_url TEXT NOT NULL DEFAULT '',
  visibility_level TEXT,
  is_voting_open INTEGER,
  voting_start_time INTEGER,
  voting_end_time INTEGER,
  is_pinned INTEGER,
  is_anonymous INTEGER,
  status_id INTEGER,
  user_id INTEGER NOT NULL,
  vote INTEGER NOT NULL DEFAULT 0, -- counted by triggers, like comment, down_vote and comment_bytes
  comment INTEGER NOT NULL DEFAULT 0,
  work_item_id INTEGER,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  comment_bytes INTEGER NOT NULL DEFAULT 0,
  merged_into INTEGER,
  down_vote INTEGER NOT NULL DEFAULT 0,
  trending INTEGER NOT NULL GENERATED ALWAYS AS (
    created_at + CAST(
      round(604800000 * sign(vote - down_vote) * log(max(abs(vote - down_vote), 1))) AS INTEGER
    )
  ) VIRTUAL,
  collections TEXT NOT NULL DEFAULT '[]',
  cover_photos TEXT NOT NULL DEFAULT '[]',
  attributes TEXT NOT NULL DEFAULT '{}'
, source TEXT, external_id TEXT, status_update_count INTEGER NOT NULL DEFAULT 0);
CREATE UNIQUE INDEX IF NOT EXISTS feedback_items_key ON feedback_items (subscription_id, external_key);
CREATE UNIQUE INDEX IF NOT EXISTS feedback_items_slug ON feedback_items (subscription_id, slug);
CREATE INDEX IF NOT EXISTS feedback_items_removed ON feedback_items (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS feedback_items_merged ON feedback_items (subscription_id, merged_into)
  WHERE merged_into IS NOT NULL;
CREATE INDEX IF NOT EXISTS feedback_items_created ON feedback_items (subscription_id, created_at, id)
  WHERE deleted_at IS NULL AND merged_into IS NULL;
CREATE INDEX IF NOT EXISTS feedback_items_vote ON feedback_items (subscription_id, vote, id)
  WHERE deleted_at IS NULL AND merged_into IS NULL;
CREATE INDEX IF NOT EXISTS feedback_items_trending ON feedback_items (subscription_id, trending, id)
  WHERE deleted_at IS NULL AND merged_into IS NULL;
CREATE INDEX IF NOT EXISTS feedback_items_updated ON feedback_items (subscription_id, updated_at, id)
  WHERE deleted_at IS NULL AND merged_into IS NULL;
CREATE INDEX IF NOT EXISTS feedback_items_status ON feedback_items (subscription_id, status_id, created_at, id)
  WHERE status_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS feedback_items_pinned ON feedback_items (subscription_id, created_at, id)
  WHERE is_pinned = 1 AND deleted_at IS NULL AND merged_into IS NULL;
CREATE INDEX IF NOT EXISTS feedback_items_pending ON feedback_items (subscription_id, created_at, id)
  WHERE visibility_level = 'pending' AND deleted_at IS NULL AND merged_into IS NULL;
CREATE INDEX IF NOT EXISTS feedback_items_work_item ON feedback_items (subscription_id, work_item_id)
  WHERE work_item_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS feedback_items_product
  ON feedback_items (subscription_id, product_id, merged_into, created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS feedback_items_product_status ON feedback_items (product_id, status_id, created_at, id)
  WHERE status_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS feedback_items_product_pinned ON feedback_items (product_id, created_at, id)
  WHERE is_pinned = 1 AND deleted_at IS NULL AND merged_into IS NULL;
CREATE INDEX IF NOT EXISTS feedback_items_product_pending ON feedback_items (product_id, created_at, id)
  WHERE visibility_level = 'pending' AND deleted_at IS NULL AND merged_into IS NULL;
CREATE INDEX IF NOT EXISTS feedback_items_heavy ON feedback_items (subscription_id)
  WHERE octet_length(target_audience) + octet_length(value_proposition)
    + octet_length(long_description) + octet_length(attributes) > 40000;
CREATE INDEX IF NOT EXISTS feedback_items_category ON feedback_items (subscription_id, category_id, created_at, id)
  WHERE category_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS feedback_items_type ON feedback_items (subscription_id, type, created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS feedback_items_author ON feedback_items (subscription_id, user_id, created_at, id)
  WHERE deleted_at IS NULL AND is_anonymous IS NOT 1;
CREATE UNIQUE INDEX IF NOT EXISTS feedback_items_external_id
  ON feedback_items (subscription_id, product_id, source, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS feedback_items_id_elsewhere ON feedback_items (subscription_id, external_id)
  WHERE external_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS feedback_items_removed_list
  ON feedback_items (subscription_id, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS feedback_items_status_vote ON feedback_items (subscription_id, status_id, vote, id)
  WHERE status_id IS NOT NULL AND deleted_at IS NULL AND merged_into IS NULL;
CREATE TRIGGER IF NOT EXISTS feedback_items_recounted AFTER UPDATE OF deleted_at ON feedback_items
WHEN (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL)
BEGIN
  UPDATE tags
  SET usage_count = usage_count + iif(NEW.deleted_at IS NULL, 1, -1)
  WHERE id IN (
    SELECT tag_id
    FROM feedback_tags
    WHERE subscription_id = NEW.subscription_id
      AND feedback_id = NEW.id
  );
END;
CREATE TRIGGER IF NOT EXISTS feedback_items_subscribed AFTER INSERT ON feedback_items
BEGIN
  INSERT INTO feedback_subscriptions (subscription_id, feedback_id, user_id, reason, created_at)
  VALUES (NEW.subscription_id, NEW.id, NEW.user_id, 'author', NEW.created_at);
END;
CREATE TRIGGER IF NOT EXISTS feedback_items_search_insert AFTER INSERT ON feedback_items
BEGIN
  INSERT INTO search (rowid, scope, title, body)
  VALUES (
    NEW.id * 16 + 3, 's' || NEW.subscription_id || 'k3 p' || NEW.product_id || 'k3', NEW.title,
    NEW.external_key || ' ' || NEW.target_audience || ' ' || NEW.value_proposition || ' ' || iif(
      NEW.long_description = '', '',
      (
        SELECT group_concat(substr(value, instr(value, '>') + 1), ' ')
        FROM json_each(
          '[' || replace(json_quote(substr(NEW.long_description, 1, 20000)), '<', '","') || ']'
        )
      )
    )
  );
END;
CREATE TRIGGER IF NOT EXISTS feedback_items_search_update
AFTER UPDATE OF title, target_audience, value_proposition, long_description ON feedback_items
WHEN OLD.title IS NOT NEW.title
  OR OLD.target_audience IS NOT NEW.target_audience
  OR OLD.value_proposition IS NOT NEW.value_proposition
  OR OLD.long_description IS NOT NEW.long_description
BEGIN
  DELETE FROM search WHERE rowid = OLD.id * 16 + 3;
  INSERT INTO search (rowid, scope, title, body)
  VALUES (
    NEW.id * 16 + 3, 's' || NEW.subscription_id || 'k3 p' || NEW.product_id || 'k3', NEW.title,
    NEW.external_key || ' ' || NEW.target_audience || ' ' || NEW.value_proposition || ' ' || iif(
      NEW.long_description = '', '',
      (
        SELECT group_concat(substr(value, instr(value, '>') + 1), ' ')
        FROM json_each(
          '[' || replace(json_quote(substr(NEW.long_description, 1, 20000)), '<', '","') || ']'
        )
      )
    )
  );
END;
CREATE TRIGGER IF NOT EXISTS feedback_items_search_delete AFTER DELETE ON feedback_items
BEGIN
  DELETE FROM search WHERE rowid = OLD.id * 16 + 3;
END;
CREATE TRIGGER IF NOT EXISTS feedback_items_status_changed AFTER UPDATE OF status_id ON feedback_items
WHEN NEW.status_id IS NOT OLD.status_id
  AND NEW.deleted_at IS NULL
  AND NOT EXISTS (
    SELECT 1 FROM feedback_statuses WHERE id = OLD.status_id AND deleted_at IS NOT NULL
  )
BEGIN
  INSERT INTO log (
    place, subscription_id, product_id, type, actor_user_id, actor_key, resource_key, data, previous, created_at,
    origin, hops
  )
  SELECT (
    SELECT coalesce(max(place), NEW.subscription_id << 32) + 1
    FROM log
    WHERE place > NEW.subscription_id << 32
      AND place < (NEW.subscription_id + 1) << 32
  ),
    NEW.subscription_id, NEW.product_id, 'feedback.status_changed',
    iif(NEW.is_anonymous IS NOT 1, coalesce(e.actor_user_id, w.actor_user_id), NULL),
    iif(NEW.is_anonymous IS NOT 1, coalesce(e.actor_key, w.actor_key), NULL),
    NEW.external_key,
    json_object(
      'id', NEW.id, 'external_key', NEW.external_key, 'slug', NEW.slug, 'title', NEW.title,
      'status_id', NEW.status_id, 'currentStatus', (SELECT name FROM feedback_statuses WHERE id = NEW.status_id)
    ),
    json_object(
      'status_id', OLD.status_id, 'currentStatus', (SELECT name FROM feedback_statuses WHERE id = OLD.status_id)
    ),
    NEW.updated_at, coalesce(e.origin, w.origin), coalesce(e.hops, w.hops)
  FROM (SELECT 1)
  LEFT JOIN log e
    ON e.created_at = NEW.updated_at
    AND e.place = (
      SELECT max(place)
      FROM log
      WHERE subscription_id = NEW.subscription_id
        AND resource_key = NEW.external_key
    )
  LEFT JOIN log w
    ON w.created_at = NEW.updated_at
    AND w.place = (
      SELECT max(place)
      FROM log
      WHERE subscription_id = NEW.subscription_id
        AND resource_key = (SELECT external_key FROM work_items WHERE id = NEW.work_item_id)
    );
END;
CREATE TRIGGER IF NOT EXISTS feedback_items_external_id_inserted BEFORE INSERT ON feedback_items
WHEN NEW.external_id IS NOT NULL
BEGIN
  UPDATE feedback_items
  SET source = NULL,
    external_id = NULL,
    version = version + 1
  WHERE subscription_id = NEW.subscription_id
    AND product_id = NEW.product_id
    AND source = NEW.source
    AND external_id = NEW.external_id
    AND deleted_at IS NOT NULL;
END;
CREATE TRIGGER IF NOT EXISTS feedback_items_external_id_updated BEFORE UPDATE OF source, external_id ON feedback_items
WHEN NEW.external_id IS NOT NULL AND (OLD.source, OLD.external_id) IS NOT (NEW.source, NEW.external_id)
BEGIN
  UPDATE feedback_items
  SET source = NULL,
    external_id = NULL,
    version = version + 1
  WHERE subscription_id = NEW.subscription_id
    AND product_id = NEW.product_id
    AND source = NEW.source
    AND external_id = NEW.external_id
    AND deleted_at IS NOT NULL
    AND id <> NEW.id;
END;
CREATE TRIGGER IF NOT EXISTS feedback_items_noticed AFTER UPDATE OF status_id ON feedback_items
WHEN NEW.status_id IS NOT OLD.status_id
  AND NEW.status_id IS NOT NULL
  AND NEW.deleted_at IS NULL
  AND NEW.merged_into IS NULL
  AND NOT EXISTS (
    SELECT 1 FROM feedback_statuses WHERE id = OLD.status_id AND deleted_at IS NOT NULL
  )
  AND NOT EXISTS (SELECT 1 FROM mail_silence WHERE subscription_id = NEW.subscription_id)
BEGIN
  INSERT INTO feedback_notices (subscription_id, feedback_id, status_id, created_at)
  VALUES (NEW.subscription_id, NEW.id, NEW.status_id, NEW.updated_at);
END;

CREATE TABLE IF NOT EXISTS feedback_slugs (
  subscription_id INTEGER NOT NULL,
  slug TEXT NOT NULL,
  feedback_id INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, slug)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS feedback_slugs_item ON feedback_slugs (subscription_id, feedback_id);

CREATE TABLE IF NOT EXISTS feedback_bulk (
  subscription_id INTEGER NOT NULL,
  n INTEGER NOT NULL,
  product_id INTEGER,
  slug TEXT NOT NULL,
  author TEXT, -- address
  name TEXT,
  body TEXT NOT NULL, -- JSON of columns
  tags TEXT NOT NULL, -- JSON of names and slugs
  user_id INTEGER,
  item_id INTEGER,
  external_key TEXT,
  problem TEXT,
  PRIMARY KEY (subscription_id, n)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS feedback_votes (
  subscription_id INTEGER NOT NULL,
  feedback_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  type TEXT NOT NULL DEFAULT 'up',
  merged_from INTEGER, -- idea that the vote came from
  PRIMARY KEY (subscription_id, feedback_id, user_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS feedback_votes_created
  ON feedback_votes (subscription_id, feedback_id, created_at, user_id);
CREATE INDEX IF NOT EXISTS feedback_votes_user ON feedback_votes (subscription_id, user_id, created_at);
CREATE INDEX IF NOT EXISTS feedback_votes_up ON feedback_votes (subscription_id, feedback_id, created_at, user_id)
  WHERE type = 'up';
CREATE INDEX IF NOT EXISTS feedback_votes_merged ON feedback_votes (subscription_id, merged_from)
  WHERE merged_from IS NOT NULL;
CREATE INDEX IF NOT EXISTS feedback_votes_all ON feedback_votes (subscription_id, created_at, feedback_id, user_id);
CREATE TRIGGER IF NOT EXISTS feedback_votes_counted AFTER INSERT ON feedback_votes
BEGIN
  UPDATE feedback_items
  SET vote = vote + (NEW.type = 'up'), down_vote = down_vote + (NEW.type = 'down')
  WHERE id = NEW.feedback_id;
END;
CREATE TRIGGER IF NOT EXISTS feedback_votes_recounted AFTER UPDATE OF type ON feedback_votes
WHEN NEW.type <> OLD.type
BEGIN
  UPDATE feedback_items
  SET vote = vote + (NEW.type = 'up') - (OLD.type = 'up'),
    down_vote = down_vote + (NEW.type = 'down') - (OLD.type = 'down')
  WHERE id = NEW.feedback_id;
END;
CREATE TRIGGER IF NOT EXISTS feedback_votes_uncounted AFTER DELETE ON feedback_votes
BEGIN
  UPDATE feedback_items
  SET vote = vote - (OLD.type = 'up'), down_vote = down_vote - (OLD.type = 'down')
  WHERE id = OLD.feedback_id;
END;

CREATE TABLE IF NOT EXISTS feedback_subscriptions (
  subscription_id INTEGER NOT NULL,
  feedback_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  reason TEXT NOT NULL, -- author, vote, comment, asked, or left
  merged_from INTEGER,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, feedback_id, user_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS feedback_subscriptions_merged ON feedback_subscriptions (subscription_id, merged_from)
  WHERE merged_from IS NOT NULL;
CREATE INDEX IF NOT EXISTS feedback_subscriptions_asked ON feedback_subscriptions (subscription_id, user_id)
  WHERE reason = 'asked';

CREATE TABLE IF NOT EXISTS feedback_comments (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  feedback_id INTEGER NOT NULL,
  parent_id INTEGER,
  user_id INTEGER NOT NULL,
  text TEXT NOT NULL,
  is_private INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  mentions TEXT NOT NULL DEFAULT '[]',
  version INTEGER NOT NULL DEFAULT 1,
  tombstone INTEGER NOT NULL DEFAULT 0, -- 1: removed with replies, 2: text deleted for good
  removed_text TEXT
, source TEXT, external_id TEXT);
CREATE INDEX IF NOT EXISTS feedback_comments_created
  ON feedback_comments (subscription_id, feedback_id, is_private, created_at, id);
CREATE INDEX IF NOT EXISTS feedback_comments_user ON feedback_comments (subscription_id, user_id, created_at)
  WHERE is_private = 0 AND deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS feedback_comments_thread
  ON feedback_comments (subscription_id, feedback_id, created_at, id)
  WHERE deleted_at IS NULL OR tombstone > 0;
CREATE INDEX IF NOT EXISTS feedback_comments_parent ON feedback_comments (subscription_id, parent_id)
  WHERE parent_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS feedback_comments_heavy ON feedback_comments (subscription_id)
  WHERE octet_length(text) > 40000;
CREATE INDEX IF NOT EXISTS feedback_comments_removed ON feedback_comments (deleted_at)
  WHERE deleted_at IS NOT NULL AND tombstone = 0;
CREATE INDEX IF NOT EXISTS feedback_comments_tomb_removed ON feedback_comments (deleted_at) WHERE tombstone = 1;
CREATE INDEX IF NOT EXISTS feedback_comments_private ON feedback_comments (subscription_id, user_id)
  WHERE is_private = 1 AND deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS feedback_comments_updated
  ON feedback_comments (subscription_id, feedback_id, updated_at, id)
  WHERE (deleted_at IS NULL OR tombstone > 0) AND version > 0;
CREATE INDEX IF NOT EXISTS feedback_comments_all_created
  ON feedback_comments (subscription_id, created_at, id) WHERE deleted_at IS NULL OR tombstone > 0;
CREATE INDEX IF NOT EXISTS feedback_comments_all_updated
  ON feedback_comments (subscription_id, updated_at, id) WHERE deleted_at IS NULL OR tombstone > 0;
CREATE INDEX IF NOT EXISTS feedback_comments_external_id
  ON feedback_comments (subscription_id, feedback_id, source, external_id) WHERE external_id IS NOT NULL;
CREATE TRIGGER IF NOT EXISTS feedback_comments_counted AFTER INSERT ON feedback_comments
WHEN NEW.is_private = 0 AND NEW.deleted_at IS NULL
BEGIN
  UPDATE feedback_items
  SET comment = comment + 1, comment_bytes = comment_bytes + octet_length(NEW.text)
  WHERE id = NEW.feedback_id;
END;
CREATE TRIGGER IF NOT EXISTS feedback_comments_recounted
AFTER UPDATE OF text, is_private, deleted_at ON feedback_comments
BEGIN
  UPDATE feedback_items
  SET comment = comment
      + (NEW.is_private = 0 AND NEW.deleted_at IS NULL)
      - (OLD.is_private = 0 AND OLD.deleted_at IS NULL),
    comment_bytes = comment_bytes
      + (NEW.is_private = 0 AND NEW.deleted_at IS NULL) * octet_length(NEW.text)
      - (OLD.is_private = 0 AND OLD.deleted_at IS NULL) * octet_length(OLD.text)
  WHERE id = NEW.feedback_id;
END;
CREATE TRIGGER IF NOT EXISTS feedback_comments_uncounted AFTER DELETE ON feedback_comments
WHEN OLD.is_private = 0 AND OLD.deleted_at IS NULL
BEGIN
  UPDATE feedback_items
  SET comment = comment - 1, comment_bytes = comment_bytes - octet_length(OLD.text)
  WHERE id = OLD.feedback_id;
END;

CREATE TABLE IF NOT EXISTS feedback_merged_comments (
  subscription_id INTEGER NOT NULL,
  feedback_id INTEGER NOT NULL,
  comment_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, feedback_id, comment_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS feedback_merged_comments_comment ON feedback_merged_comments (subscription_id, comment_id);

CREATE TABLE IF NOT EXISTS feedback_notices (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  feedback_id INTEGER,
  status_id INTEGER,
  solution_version_id INTEGER,
  created_at INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS feedback_notices_tenant ON feedback_notices (subscription_id, id);
CREATE INDEX IF NOT EXISTS feedback_notices_due ON feedback_notices (created_at, id);

CREATE TABLE IF NOT EXISTS tags (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  slug TEXT NOT NULL,
  color TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  deleted_at INTEGER,
  usage_count INTEGER NOT NULL DEFAULT 0 -- counted by triggers
);
CREATE UNIQUE INDEX IF NOT EXISTS tags_slug ON tags (product_id, slug) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS tags_removed ON tags (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS tags_tenant ON tags (subscription_id, id) WHERE id > 0;
CREATE INDEX IF NOT EXISTS tags_updated ON tags (product_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS tags_removed_list ON tags (product_id, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE TRIGGER IF NOT EXISTS tags_counted AFTER INSERT ON tags
BEGIN
  UPDATE tags
  SET usage_count = (
    SELECT count(*)
    FROM work_item_tags
    CROSS JOIN work_items
      ON work_items.id = work_item_tags.work_item_id
      AND work_items.deleted_at IS NULL
    WHERE work_item_tags.subscription_id = NEW.subscription_id
      AND work_item_tags.product_id = NEW.product_id
      AND work_item_tags.slug = NEW.slug
  )
  WHERE id = NEW.id
    AND EXISTS (
      SELECT 1
      FROM work_item_tags
      WHERE subscription_id = NEW.subscription_id
        AND product_id = NEW.product_id
        AND slug = NEW.slug
    );
END;
CREATE TRIGGER IF NOT EXISTS tags_recounted AFTER UPDATE OF slug, deleted_at ON tags
BEGIN
  UPDATE tags
  SET usage_count = (
    SELECT count(*)
    FROM work_item_tags
    CROSS JOIN work_items
      ON work_items.id = work_item_tags.work_item_id
      AND work_items.deleted_at IS NULL
    WHERE work_item_tags.subscription_id = NEW.subscription_id
      AND work_item_tags.product_id = NEW.product_id
      AND work_item_tags.slug = NEW.slug
  ) + (
    SELECT count(*)
    FROM feedback_tags
    CROSS JOIN feedback_items
      ON feedback_items.id = feedback_tags.feedback_id
      AND feedback_items.deleted_at IS NULL
    WHERE feedback_tags.subscription_id = NEW.subscription_id
      AND feedback_tags.tag_id = NEW.id
  )
  WHERE id = NEW.id
    AND deleted_at IS NULL;
END;

CREATE TABLE IF NOT EXISTS feedback_tags (
  subscription_id INTEGER NOT NULL,
  feedback_id INTEGER NOT NULL,
  tag_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, feedback_id, tag_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS feedback_tags_tag ON feedback_tags (subscription_id, tag_id);
CREATE TRIGGER IF NOT EXISTS feedback_tags_counted AFTER INSERT ON feedback_tags
BEGIN
  UPDATE tags SET usage_count = usage_count + 1 WHERE id = NEW.tag_id;
END;
CREATE TRIGGER IF NOT EXISTS feedback_tags_uncounted AFTER DELETE ON feedback_tags
BEGIN
  UPDATE tags SET usage_count = usage_count - 1 WHERE id = OLD.tag_id;
END;

CREATE TABLE IF NOT EXISTS segments (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  description TEXT,
  color TEXT,
  type TEXT NOT NULL DEFAULT 'manual',
  rules TEXT,
  user_count INTEGER NOT NULL DEFAULT 0,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  counted_at INTEGER -- last evaluation of the rules of a dynamic segment
, double_opt_in INTEGER NOT NULL DEFAULT 0, double_opt_in_since INTEGER);
CREATE UNIQUE INDEX IF NOT EXISTS segments_name ON segments (subscription_id, name) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS segments_created ON segments (subscription_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS segments_removed ON segments (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS segments_heavy ON segments (subscription_id)
  WHERE coalesce(octet_length(rules), 0) > 40000;
CREATE INDEX IF NOT EXISTS segments_type ON segments (subscription_id, type, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS segments_tenant ON segments (subscription_id, id) WHERE id > 0;
CREATE INDEX IF NOT EXISTS segments_updated ON segments (subscription_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS segments_removed_list ON segments (subscription_id, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE TRIGGER IF NOT EXISTS segments_double_opt_in AFTER UPDATE OF double_opt_in ON segments
WHEN NEW.double_opt_in = 1 AND OLD.double_opt_in = 0
BEGIN
  UPDATE segments SET double_opt_in_since = NEW.updated_at WHERE id = NEW.id;
END;

CREATE TABLE IF NOT EXISTS segment_members (
  subscription_id INTEGER NOT NULL,
  segment_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, segment_id, user_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS segment_members_user ON segment_members (subscription_id, user_id, segment_id);
CREATE TRIGGER IF NOT EXISTS segment_members_unconfirmed AFTER INSERT ON segment_members
WHEN (SELECT double_opt_in = 1 AND coalesce(double_opt_in_since, 0) <= NEW.created_at
  FROM segments WHERE id = NEW.segment_id)
BEGIN
  INSERT INTO segment_confirmations (subscription_id, segment_id, user_id, due_at, created_at)
  VALUES (NEW.subscription_id, NEW.segment_id, NEW.user_id, NEW.created_at, NEW.created_at)
  ON CONFLICT DO UPDATE SET due_at = excluded.due_at
    WHERE status = 'pending' AND coalesce(due_at, 0) < excluded.due_at
      AND coalesce(asked_at, 0) <= excluded.due_at - 86400000;
END;

CREATE TABLE IF NOT EXISTS invitations (
  subscription_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  -- a pending invitation past expires_at is expired
  status TEXT NOT NULL CHECK (status IN ('pending', 'accepted', 'canceled')),
  round INTEGER NOT NULL DEFAULT 1, -- part of the link, so that a canceled link stays canceled
  sent_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  resend_count INTEGER NOT NULL DEFAULT 0,
  mailing TEXT NOT NULL, -- random name of the mailing
  PRIMARY KEY (subscription_id, user_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS invitations_mailing ON invitations (subscription_id, mailing, user_id);
CREATE INDEX IF NOT EXISTS invitations_pending ON invitations (subscription_id, sent_at, user_id)
  WHERE status = 'pending';

CREATE TABLE IF NOT EXISTS suppressions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  subscription_id INTEGER NOT NULL,
  email TEXT NOT NULL,
  segment_id INTEGER NOT NULL DEFAULT 0, -- 0 for all mail
  reason TEXT NOT NULL CHECK (reason IN ('unsubscribe', 'hard_bounce', 'complaint', 'manual')),
  created_at INTEGER NOT NULL
);
CREATE UNIQUE INDEX IF NOT EXISTS suppressions_address ON suppressions (subscription_id, email, segment_id);
CREATE INDEX IF NOT EXISTS suppressions_created ON suppressions (subscription_id, created_at);

CREATE TABLE IF NOT EXISTS emails (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  reference TEXT NOT NULL, -- random, names the mailing in its batch and in idempotency keys of the provider
  segment_id INTEGER,
  subject TEXT NOT NULL,
  html TEXT NOT NULL,
  text TEXT NOT NULL,
  base_url TEXT NOT NULL, -- address of the unsubscribe links
  status TEXT NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'sending', 'completed')),
  chunk_size INTEGER NOT NULL,
  total INTEGER NOT NULL,
  sent INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  suppressed INTEGER NOT NULL DEFAULT 0, -- unsubscribed between acceptance and sending
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  completed_at INTEGER,
  kind TEXT NOT NULL DEFAULT 'segment', -- segment, members, test, invitation, feedback, release, notice
  reply_to TEXT,
  scheduled_at INTEGER,
  canceled_at INTEGER,
  delivered INTEGER NOT NULL DEFAULT 0,
  bounced INTEGER NOT NULL DEFAULT 0,
  complained INTEGER NOT NULL DEFAULT 0,
  event_count INTEGER NOT NULL DEFAULT 0,
  erased_at INTEGER, -- addresses of the recipients deleted
  forgotten_at INTEGER, -- rows of the recipients deleted
  variables TEXT -- JSON object of texts for all recipients
);
CREATE UNIQUE INDEX IF NOT EXISTS emails_reference ON emails (subscription_id, reference);
CREATE INDEX IF NOT EXISTS emails_segment ON emails (subscription_id, segment_id, created_at)
  WHERE segment_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS emails_created ON emails (subscription_id, created_at);
CREATE INDEX IF NOT EXISTS emails_ended ON emails (completed_at) WHERE completed_at IS NOT NULL AND erased_at IS NULL;
CREATE INDEX IF NOT EXISTS emails_by_hand ON emails (subscription_id, created_at)
  WHERE kind IN ('segment', 'members', 'test');
CREATE INDEX IF NOT EXISTS emails_erased ON emails (completed_at)
  WHERE erased_at IS NOT NULL AND forgotten_at IS NULL;
CREATE INDEX IF NOT EXISTS emails_updated ON emails (subscription_id, updated_at, id);

CREATE TABLE IF NOT EXISTS email_recipients (
  subscription_id INTEGER NOT NULL,
  email_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  email TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'sending', 'sent', 'failed', 'suppressed')),
  reason TEXT,
  provider_id TEXT,
  updated_at INTEGER NOT NULL,
  variables TEXT, -- JSON object of texts for this recipient
  event_rank INTEGER NOT NULL DEFAULT 0, -- 1 soft bounce, 2 delivered, 3 hard bounce, 4 complaint
  by_id INTEGER, -- 1: events of the provider name the message by its id alone
  PRIMARY KEY (subscription_id, email_id, position)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS email_recipients_by_id ON email_recipients (provider_id) WHERE by_id = 1;

CREATE TABLE IF NOT EXISTS email_chunks (
  subscription_id INTEGER NOT NULL,
  email_id INTEGER NOT NULL,
  chunk INTEGER NOT NULL,
  -- waiting: until next_attempt_at, as the provider asked
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'waiting', 'sending', 'done')),
  attempts INTEGER NOT NULL DEFAULT 0, -- claims
  asked INTEGER NOT NULL DEFAULT 0, -- attempts that called the provider
  next_attempt_at INTEGER NOT NULL, -- while sending: end of the claim
  claim TEXT, -- random, names the attempt
  unsure_since INTEGER, -- first attempt with an unknown outcome
  problem TEXT, -- of the last attempt
  PRIMARY KEY (subscription_id, email_id, chunk)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS email_chunks_due ON email_chunks (email_id, next_attempt_at) WHERE status <> 'done';

CREATE TABLE IF NOT EXISTS email_slices (
  subscription_id INTEGER NOT NULL,
  email_id INTEGER NOT NULL,
  slice INTEGER NOT NULL,
  recipients TEXT NOT NULL,
  next_attempt_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, email_id, slice)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS email_slices_due ON email_slices (email_id, next_attempt_at);

CREATE TABLE IF NOT EXISTS mail_outages (
  subscription_id INTEGER NOT NULL,
  provider TEXT NOT NULL,
  since INTEGER NOT NULL,
  failed_at INTEGER NOT NULL, -- last failed call
  reason TEXT NOT NULL,
  reported_at INTEGER, -- time of the event
  PRIMARY KEY (subscription_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS mail_outages_unreported ON mail_outages (since) WHERE reported_at IS NULL;

CREATE TABLE IF NOT EXISTS kpis (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  external_key TEXT NOT NULL,
  title TEXT NOT NULL,
  statement TEXT,
  benchmark INTEGER NOT NULL DEFAULT 0, -- hundredths
  benchmark_unit TEXT,
  benchmark_type TEXT,
  aggregate TEXT NOT NULL DEFAULT 'last',
  due_date INTEGER,
  visualization INTEGER NOT NULL DEFAULT 1,
  dashboard_visualization INTEGER NOT NULL DEFAULT 0,
  "order" INTEGER NOT NULL,
  linked INTEGER NOT NULL DEFAULT 0, -- counted by triggers of work_item_kpis and work_items
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE UNIQUE INDEX IF NOT EXISTS kpis_key ON kpis (subscription_id, external_key);
CREATE INDEX IF NOT EXISTS kpis_order ON kpis (product_id, "order", id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS kpis_linked_order ON kpis (product_id, linked, "order", id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS kpis_removed ON kpis (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS kpis_removed_list ON kpis (product_id, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE TRIGGER IF NOT EXISTS kpis_search_insert AFTER INSERT ON kpis
BEGIN
  INSERT INTO search (rowid, scope, title, body)
  VALUES (
    NEW.id * 16 + 6, 's' || NEW.subscription_id || 'k6 p' || NEW.product_id || 'k6', NEW.title,
    NEW.external_key || ' ' || coalesce(substr(NEW.statement, 1, 20000), '')
  );
END;
CREATE TRIGGER IF NOT EXISTS kpis_search_update AFTER UPDATE OF title, statement ON kpis
WHEN OLD.title IS NOT NEW.title OR OLD.statement IS NOT NEW.statement
BEGIN
  DELETE FROM search WHERE rowid = OLD.id * 16 + 6;
  INSERT INTO search (rowid, scope, title, body)
  VALUES (
    NEW.id * 16 + 6, 's' || NEW.subscription_id || 'k6 p' || NEW.product_id || 'k6', NEW.title,
    NEW.external_key || ' ' || coalesce(substr(NEW.statement, 1, 20000), '')
  );
END;
CREATE TRIGGER IF NOT EXISTS kpis_search_delete AFTER DELETE ON kpis
BEGIN
  DELETE FROM search WHERE rowid = OLD.id * 16 + 6;
END;

CREATE TABLE IF NOT EXISTS kpi_records (
  subscription_id INTEGER NOT NULL,
  kpi_id INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  id INTEGER NOT NULL,
  value INTEGER NOT NULL, -- hundredths
  PRIMARY KEY (subscription_id, kpi_id, created_at, id)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS kpi_days (
  subscription_id INTEGER NOT NULL,
  kpi_id INTEGER NOT NULL,
  day INTEGER NOT NULL,
  records INTEGER NOT NULL,
  sum_high INTEGER NOT NULL,
  sum_low INTEGER NOT NULL,
  least INTEGER NOT NULL,
  greatest INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  last_value INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, kpi_id, day)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS personas (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  product_id INTEGER,
  external_key TEXT NOT NULL,
  name TEXT NOT NULL,
  occupation TEXT,
  quote TEXT,
  description TEXT,
  color TEXT,
  goals TEXT NOT NULL DEFAULT '[]',
  pains TEXT NOT NULL DEFAULT '[]',
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  avatar TEXT,
  board_segment_id INTEGER
, source TEXT, external_id TEXT);
CREATE UNIQUE INDEX IF NOT EXISTS personas_key ON personas (subscription_id, external_key);
CREATE INDEX IF NOT EXISTS personas_created ON personas (subscription_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS personas_removed ON personas (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS personas_product ON personas (subscription_id, product_id, created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS personas_heavy ON personas (subscription_id)
  WHERE coalesce(octet_length(description), 0) + octet_length(goals) + octet_length(pains) > 40000;
CREATE INDEX IF NOT EXISTS personas_board_segment ON personas (subscription_id, board_segment_id, created_at, id)
  WHERE deleted_at IS NULL AND board_segment_id IS NOT NULL;
CREATE UNIQUE INDEX IF NOT EXISTS personas_external_id ON personas (subscription_id, source, external_id)
  WHERE external_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS personas_updated ON personas (subscription_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS personas_removed_list ON personas (subscription_id, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE TRIGGER IF NOT EXISTS personas_search_insert AFTER INSERT ON personas
BEGIN
  INSERT INTO search (rowid, scope, title, body)
  VALUES (
    NEW.id * 16 + 4,
    's' || NEW.subscription_id || 'k4 ' || iif(
      NEW.product_id IS NULL, 's' || NEW.subscription_id || 'k4n', 'p' || NEW.product_id || 'k4'
    ),
    NEW.name,
    NEW.external_key || ' ' || coalesce(NEW.occupation, '') || ' ' || coalesce(NEW.quote, '') || ' ' || iif(
      coalesce(NEW.description, '') = '',
      '',
      (
        SELECT group_concat(substr(value, instr(value, '>') + 1), ' ')
        FROM json_each(
          '[' || replace(json_quote(substr(NEW.description, 1, 20000)), '<', '","') || ']'
        )
      )
    ) || ' ' || substr(NEW.goals, 1, 20000) || ' ' || substr(NEW.pains, 1, 20000)
  );
END;
CREATE TRIGGER IF NOT EXISTS personas_search_update
AFTER UPDATE OF name, occupation, quote, description, goals, pains, product_id ON personas
WHEN OLD.name IS NOT NEW.name
  OR OLD.occupation IS NOT NEW.occupation
  OR OLD.quote IS NOT NEW.quote
  OR OLD.description IS NOT NEW.description
  OR OLD.goals IS NOT NEW.goals
  OR OLD.pains IS NOT NEW.pains
  OR OLD.product_id IS NOT NEW.product_id
BEGIN
  DELETE FROM search WHERE rowid = OLD.id * 16 + 4;
  INSERT INTO search (rowid, scope, title, body)
  VALUES (
    NEW.id * 16 + 4,
    's' || NEW.subscription_id || 'k4 ' || iif(
      NEW.product_id IS NULL, 's' || NEW.subscription_id || 'k4n', 'p' || NEW.product_id || 'k4'
    ),
    NEW.name,
    NEW.external_key || ' ' || coalesce(NEW.occupation, '') || ' ' || coalesce(NEW.quote, '') || ' ' || iif(
      coalesce(NEW.description, '') = '',
      '',
      (
        SELECT group_concat(substr(value, instr(value, '>') + 1), ' ')
        FROM json_each(
          '[' || replace(json_quote(substr(NEW.description, 1, 20000)), '<', '","') || ']'
        )
      )
    ) || ' ' || substr(NEW.goals, 1, 20000) || ' ' || substr(NEW.pains, 1, 20000)
  );
END;
CREATE TRIGGER IF NOT EXISTS personas_search_delete AFTER DELETE ON personas
BEGIN
  DELETE FROM search WHERE rowid = OLD.id * 16 + 4;
END;
CREATE TRIGGER IF NOT EXISTS personas_external_id_inserted BEFORE INSERT ON personas
WHEN NEW.external_id IS NOT NULL
BEGIN
  UPDATE personas
  SET source = NULL,
    external_id = NULL,
    version = version + 1
  WHERE subscription_id = NEW.subscription_id
    AND source = NEW.source
    AND external_id = NEW.external_id
    AND (
      deleted_at IS NOT NULL
      OR EXISTS (SELECT 1 FROM products WHERE products.id = personas.product_id AND products.deleted_at IS NOT NULL)
    );
END;
CREATE TRIGGER IF NOT EXISTS personas_external_id_updated BEFORE UPDATE OF source, external_id ON personas
WHEN NEW.external_id IS NOT NULL AND (OLD.source, OLD.external_id) IS NOT (NEW.source, NEW.external_id)
BEGIN
  UPDATE personas
  SET source = NULL,
    external_id = NULL,
    version = version + 1
  WHERE subscription_id = NEW.subscription_id
    AND source = NEW.source
    AND external_id = NEW.external_id
    AND id <> NEW.id
    AND (
      deleted_at IS NOT NULL
      OR EXISTS (SELECT 1 FROM products WHERE products.id = personas.product_id AND products.deleted_at IS NOT NULL)
    );
END;

CREATE TABLE IF NOT EXISTS persona_summaries (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  persona_id INTEGER NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('pain', 'gain', 'job', 'note')),
  text TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE INDEX IF NOT EXISTS persona_summaries_persona
  ON persona_summaries (subscription_id, persona_id, created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS persona_summaries_removed ON persona_summaries (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS persona_summaries_heavy ON persona_summaries (subscription_id)
  WHERE octet_length(text) > 40000;
CREATE INDEX IF NOT EXISTS persona_summaries_tenant ON persona_summaries (subscription_id, id) WHERE id > 0;
CREATE INDEX IF NOT EXISTS persona_summaries_updated
  ON persona_summaries (subscription_id, persona_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS persona_summaries_removed_list
  ON persona_summaries (subscription_id, persona_id, deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE IF NOT EXISTS persona_documentation (
  subscription_id INTEGER NOT NULL,
  persona_id INTEGER NOT NULL,
  title TEXT NOT NULL DEFAULT '',
  content TEXT NOT NULL DEFAULT '',
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, persona_id)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS opportunities (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  product_id INTEGER,
  persona_id INTEGER NOT NULL,
  summary_id INTEGER NOT NULL,
  external_key TEXT NOT NULL,
  summary TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  color TEXT NOT NULL DEFAULT '',
  spread TEXT NOT NULL DEFAULT '',
  intensity TEXT NOT NULL DEFAULT '',
  progress TEXT NOT NULL DEFAULT 'to-do',
  status TEXT NOT NULL DEFAULT 'active',
  team_id INTEGER,
  "order" INTEGER NOT NULL,
  plan_order INTEGER NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE UNIQUE INDEX IF NOT EXISTS opportunities_key ON opportunities (subscription_id, external_key);
CREATE INDEX IF NOT EXISTS opportunities_removed ON opportunities (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS opportunities_persona ON opportunities (subscription_id, persona_id, created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS opportunities_heavy ON opportunities (subscription_id)
  WHERE octet_length(description) > 40000;
CREATE INDEX IF NOT EXISTS opportunities_updated
  ON opportunities (subscription_id, persona_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS opportunities_removed_list
  ON opportunities (subscription_id, persona_id, deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE IF NOT EXISTS persona_board_segments (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  color TEXT,
  "order" INTEGER NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE INDEX IF NOT EXISTS persona_board_segments_name ON persona_board_segments (subscription_id, name)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS persona_board_segments_order ON persona_board_segments (subscription_id, "order", id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS persona_board_segments_removed ON persona_board_segments (deleted_at)
  WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS persona_board_segments_tenant ON persona_board_segments (subscription_id, id) WHERE id > 0;
CREATE INDEX IF NOT EXISTS persona_board_segments_updated
  ON persona_board_segments (subscription_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS persona_board_segments_removed_list
  ON persona_board_segments (subscription_id, deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE IF NOT EXISTS persona_custom_fields (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('text', 'textarea', 'number', 'date', 'url', 'boolean', 'select', 'multiselect')),
  required INTEGER NOT NULL DEFAULT 0,
  "order" INTEGER NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE INDEX IF NOT EXISTS persona_custom_fields_name ON persona_custom_fields (subscription_id, name)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS persona_custom_fields_order ON persona_custom_fields (subscription_id, "order", id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS persona_custom_fields_removed ON persona_custom_fields (deleted_at)
  WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS persona_custom_fields_tenant ON persona_custom_fields (subscription_id, id) WHERE id > 0;
CREATE INDEX IF NOT EXISTS persona_custom_fields_updated
  ON persona_custom_fields (subscription_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS persona_custom_fields_removed_list
  ON persona_custom_fields (subscription_id, deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE IF NOT EXISTS persona_custom_options (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  field_id INTEGER NOT NULL,
  label TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS persona_custom_options_field ON persona_custom_options (subscription_id, field_id, id);

CREATE TABLE IF NOT EXISTS persona_custom_values (
  subscription_id INTEGER NOT NULL,
  persona_id INTEGER NOT NULL,
  field_id INTEGER NOT NULL,
  value TEXT,
  PRIMARY KEY (subscription_id, persona_id, field_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS persona_custom_values_field
  ON persona_custom_values (subscription_id, field_id, persona_id);

CREATE TABLE IF NOT EXISTS experiments (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  external_key TEXT NOT NULL,
  title TEXT NOT NULL,
  hypothesis TEXT,
  method TEXT,
  success_criteria TEXT,
  target_value INTEGER, -- hundredths
  actual_value INTEGER, -- hundredths
  status TEXT NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'running', 'stopped')),
  result TEXT CHECK (result IN ('validated', 'invalidated', 'inconclusive')),
  decision TEXT CHECK (decision IN ('persevere', 'pivot', 'stop')),
  learnings TEXT,
  kpi_id INTEGER,
  opportunity_id INTEGER,
  started_at INTEGER,
  stopped_at INTEGER,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE UNIQUE INDEX IF NOT EXISTS experiments_key ON experiments (subscription_id, external_key);
CREATE INDEX IF NOT EXISTS experiments_created ON experiments (product_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS experiments_status ON experiments (product_id, status, created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS experiments_kpi ON experiments (subscription_id, kpi_id) WHERE kpi_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS experiments_opportunity ON experiments (subscription_id, opportunity_id)
  WHERE opportunity_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS experiments_removed ON experiments (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS experiments_heavy ON experiments (subscription_id)
  WHERE coalesce(octet_length(hypothesis), 0) + coalesce(octet_length(method), 0) + coalesce(
    octet_length(success_criteria), 0
  ) + coalesce(octet_length(learnings), 0) > 40000;
CREATE INDEX IF NOT EXISTS experiments_updated ON experiments (product_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS experiments_removed_list
  ON experiments (product_id, deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE IF NOT EXISTS experiment_personas (
  subscription_id INTEGER NOT NULL,
  experiment_id INTEGER NOT NULL,
  persona_id INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, experiment_id, persona_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS experiment_personas_persona
  ON experiment_personas (subscription_id, persona_id, created_at, experiment_id);

CREATE TABLE IF NOT EXISTS experiment_work_items (
  subscription_id INTEGER NOT NULL,
  experiment_id INTEGER NOT NULL,
  work_item_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, experiment_id, work_item_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS experiment_work_items_item ON experiment_work_items (subscription_id, work_item_id);

CREATE TABLE IF NOT EXISTS documents (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  external_key TEXT NOT NULL,
  title TEXT NOT NULL,
  content TEXT NOT NULL DEFAULT '',
  template_id INTEGER,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE UNIQUE INDEX IF NOT EXISTS documents_key ON documents (subscription_id, external_key);
CREATE INDEX IF NOT EXISTS documents_created ON documents (product_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS documents_template ON documents (subscription_id, template_id)
  WHERE template_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS documents_removed ON documents (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS documents_heavy ON documents (subscription_id) WHERE octet_length(content) > 40000;
CREATE INDEX IF NOT EXISTS documents_updated ON documents (product_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS documents_removed_list ON documents (product_id, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE TRIGGER IF NOT EXISTS documents_search_insert AFTER INSERT ON documents
BEGIN
  INSERT INTO search (rowid, scope, title, body)
  VALUES (
    NEW.id * 16 + 7, 's' || NEW.subscription_id || 'k7 p' || NEW.product_id || 'k7', NEW.title,
    NEW.external_key || ' ' || iif(
      NEW.content = '', '',
      (
        SELECT group_concat(substr(value, instr(value, '>') + 1), ' ')
        FROM json_each('[' || replace(json_quote(substr(NEW.content, 1, 20000)), '<', '","') || ']')
      )
    )
  );
END;
CREATE TRIGGER IF NOT EXISTS documents_search_update AFTER UPDATE OF title, content ON documents
WHEN OLD.title IS NOT NEW.title OR OLD.content IS NOT NEW.content
BEGIN
  DELETE FROM search WHERE rowid = OLD.id * 16 + 7;
  INSERT INTO search (rowid, scope, title, body)
  VALUES (
    NEW.id * 16 + 7, 's' || NEW.subscription_id || 'k7 p' || NEW.product_id || 'k7', NEW.title,
    NEW.external_key || ' ' || iif(
      NEW.content = '', '',
      (
        SELECT group_concat(substr(value, instr(value, '>') + 1), ' ')
        FROM json_each('[' || replace(json_quote(substr(NEW.content, 1, 20000)), '<', '","') || ']')
      )
    )
  );
END;
CREATE TRIGGER IF NOT EXISTS documents_search_delete AFTER DELETE ON documents
BEGIN
  DELETE FROM search WHERE rowid = OLD.id * 16 + 7;
END;

CREATE TABLE IF NOT EXISTS document_templates (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  title TEXT NOT NULL,
  category TEXT,
  content TEXT NOT NULL DEFAULT '',
  variables TEXT NOT NULL DEFAULT '[]',
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE INDEX IF NOT EXISTS document_templates_created ON document_templates (subscription_id, created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS document_templates_category
  ON document_templates (subscription_id, category, created_at, id)
  WHERE deleted_at IS NULL AND category IS NOT NULL;
CREATE INDEX IF NOT EXISTS document_templates_removed ON document_templates (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS document_templates_heavy ON document_templates (subscription_id)
  WHERE octet_length(content) + octet_length(variables) > 40000;
CREATE INDEX IF NOT EXISTS document_templates_tenant ON document_templates (subscription_id, id) WHERE id > 0;
CREATE INDEX IF NOT EXISTS document_templates_updated
  ON document_templates (subscription_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS document_templates_removed_list
  ON document_templates (subscription_id, deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE IF NOT EXISTS fills (
  name TEXT NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (name)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS import_warnings (
  subscription_id INTEGER NOT NULL,
  import_id INTEGER NOT NULL,
  number INTEGER NOT NULL, -- in the order of the rows
  field TEXT NOT NULL,
  column_name TEXT,
  value TEXT,
  became TEXT,
  reason TEXT NOT NULL,
  row_count INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, import_id, number)
) WITHOUT ROWID;

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

CREATE TABLE IF NOT EXISTS exports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  subscription_id INTEGER NOT NULL,
  kind TEXT NOT NULL DEFAULT 'export', -- export, backup
  status TEXT NOT NULL DEFAULT 'queued',
  include TEXT NOT NULL DEFAULT '[]', -- JSON array of files, events
  object_key TEXT NOT NULL,
  kept_for INTEGER NOT NULL, -- milliseconds after the completion
  step INTEGER NOT NULL DEFAULT 0,
  position TEXT, -- JSON, the last key that the present step has read
  archive TEXT, -- JSON, the state of the ZIP file, while bytes exist
  progress INTEGER NOT NULL DEFAULT 0,
  record_count INTEGER NOT NULL DEFAULT 0,
  file_count INTEGER NOT NULL DEFAULT 0,
  event_count INTEGER NOT NULL DEFAULT 0,
  size INTEGER, -- bytes
  problem TEXT,
  attempts INTEGER NOT NULL DEFAULT 0, -- since the last progress
  next_attempt_at INTEGER, -- for the queue, and after the end for the cron
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  finished_at INTEGER,
  expires_at INTEGER,
  version INTEGER NOT NULL DEFAULT 1
);
CREATE INDEX IF NOT EXISTS exports_created ON exports (subscription_id, created_at, id);
CREATE INDEX IF NOT EXISTS exports_due ON exports (subscription_id, next_attempt_at)
  WHERE status IN ('queued', 'running');
CREATE INDEX IF NOT EXISTS exports_ended ON exports (next_attempt_at)
  WHERE next_attempt_at IS NOT NULL AND status NOT IN ('queued', 'running');
CREATE UNIQUE INDEX IF NOT EXISTS exports_object ON exports (subscription_id, object_key);

CREATE TABLE IF NOT EXISTS export_entries (
  subscription_id INTEGER NOT NULL,
  export_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  path TEXT NOT NULL,
  position INTEGER NOT NULL, -- bytes before the entry
  size INTEGER NOT NULL,
  packed_size INTEGER NOT NULL,
  crc32 INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  deflated INTEGER NOT NULL,
  row_count INTEGER, -- records of an NDJSON file
  PRIMARY KEY (subscription_id, export_id, number)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS backup_schedule (
  subscription_id INTEGER NOT NULL,
  next_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS backup_schedule_due ON backup_schedule (next_at);

CREATE TABLE IF NOT EXISTS feedback_changes (
  subscription_id INTEGER NOT NULL,
  n INTEGER NOT NULL,
  op TEXT NOT NULL,
  external_key TEXT,
  item_id INTEGER,
  product_id INTEGER,
  into_id INTEGER, -- idea that stays after a merge
  body TEXT NOT NULL, -- JSON of columns
  tags TEXT, -- JSON of names and slugs
  problem TEXT,
  PRIMARY KEY (subscription_id, n)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS feedback_changes_item ON feedback_changes (subscription_id, item_id);

CREATE TABLE IF NOT EXISTS feedback_status_updates (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  feedback_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  status TEXT NOT NULL, -- name of the status at the time of the update
  message TEXT,
  notify TEXT NOT NULL CHECK (notify IN ('later', 'now', 'none')),
  created_at INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS feedback_status_updates_created
  ON feedback_status_updates (subscription_id, feedback_id, created_at, id);
CREATE TRIGGER IF NOT EXISTS feedback_status_updates_counted AFTER INSERT ON feedback_status_updates
BEGIN
  UPDATE feedback_items SET status_update_count = status_update_count + 1 WHERE id = NEW.feedback_id;
END;

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

CREATE TABLE IF NOT EXISTS notices (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  kind TEXT NOT NULL, -- status, release, reply, mention, assignment
  feedback_id INTEGER,
  solution_version_id INTEGER,
  comment_id INTEGER, -- of an idea
  item_comment_id INTEGER, -- of a work item
  work_item_id INTEGER,
  people TEXT, -- JSON array of user ids, NULL for everybody who follows the idea
  message TEXT,
  notify TEXT NOT NULL, -- later, now
  actor_user_id INTEGER,
  created_at INTEGER NOT NULL,
  due_at INTEGER, -- known when the recipients are looked up
  position INTEGER NOT NULL DEFAULT 0, -- last person, or last idea of a release, that was looked up
  expanded_at INTEGER, -- end of the lookup
  withdrawn_at INTEGER
, changelog_entry_id INTEGER);
CREATE INDEX IF NOT EXISTS notices_waiting ON notices (subscription_id, id) WHERE expanded_at IS NULL;
CREATE INDEX IF NOT EXISTS notices_feedback ON notices (subscription_id, feedback_id, id) WHERE feedback_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS notices_comment ON notices (subscription_id, comment_id) WHERE comment_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS notices_item_comment ON notices (subscription_id, item_comment_id) WHERE item_comment_id IS NOT NULL;

CREATE TABLE IF NOT EXISTS notice_people (
  subscription_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  notice_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, user_id, notice_id)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS notice_digests (
  subscription_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  waiting INTEGER NOT NULL, -- number of notices
  PRIMARY KEY (subscription_id, user_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS notice_digests_due ON notice_digests (subscription_id, due_at, user_id);

CREATE TABLE IF NOT EXISTS mail_preferences (
  subscription_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  digest TEXT NOT NULL CHECK (digest IN ('off', 'daily', 'weekly')),
  stopped_kinds TEXT NOT NULL DEFAULT '[]', -- JSON array of kinds of notices
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, user_id)
) WITHOUT ROWID;

CREATE VIEW IF NOT EXISTS append_event AS
SELECT subscription_id, id, product_id, type, actor_user_id, actor_key, resource_key, created_at, person_id,
  request_id, data, previous, origin, hops, cascade
FROM log;
CREATE TRIGGER IF NOT EXISTS append_event_inserted INSTEAD OF INSERT ON append_event
BEGIN
  INSERT INTO log (
    place, subscription_id, product_id, type, actor_user_id, actor_key, resource_key, created_at, person_id,
    request_id, data, previous, origin, hops, cascade
  )
  VALUES (
    NEW.subscription_id << 32 | NEW.id, NEW.subscription_id, NEW.product_id, NEW.type, NEW.actor_user_id,
    NEW.actor_key, NEW.resource_key, NEW.created_at, NEW.person_id, NEW.request_id, NEW.data, NEW.previous,
    NEW.origin, NEW.hops, NEW.cascade
  );
END;

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

CREATE TABLE IF NOT EXISTS mail_silence (
  subscription_id INTEGER NOT NULL PRIMARY KEY
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS portals (
  subscription_id INTEGER NOT NULL,
  slug TEXT,
  name TEXT,
  visibility TEXT NOT NULL DEFAULT 'public', -- public or private
  segments TEXT NOT NULL DEFAULT '[]', -- JSON of ids, readers of a private portal
  products TEXT NOT NULL DEFAULT '[]', -- JSON of ids
  statuses TEXT, -- JSON of ids, NULL means all
  categories TEXT,
  sign_up TEXT NOT NULL DEFAULT 'anyone', -- anyone or members
  accent TEXT NOT NULL DEFAULT '#0b6e5f',
  mode TEXT NOT NULL DEFAULT 'system', -- system, light or dark
  logo INTEGER, -- asset
  dark_logo INTEGER,
  locale TEXT NOT NULL DEFAULT 'en',
  roadmap INTEGER NOT NULL DEFAULT 1,
  changelog INTEGER NOT NULL DEFAULT 1,
  version INTEGER NOT NULL DEFAULT 1,
  updated_at INTEGER NOT NULL,
  end_user_secret TEXT, -- encrypted
  previous_secret TEXT,
  previous_until INTEGER,
  sealed_by TEXT, domain TEXT, domain_verified INTEGER,
  PRIMARY KEY (subscription_id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS portals_slug ON portals (slug) WHERE slug IS NOT NULL;
CREATE INDEX IF NOT EXISTS portals_sealed ON portals (sealed_by) WHERE end_user_secret IS NOT NULL;
CREATE UNIQUE INDEX IF NOT EXISTS portals_domain ON portals (domain) WHERE domain_verified = 1;

CREATE TABLE IF NOT EXISTS changelog_entries (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  product_id INTEGER, -- NULL for an entry of all products
  external_key TEXT NOT NULL,
  title TEXT NOT NULL,
  content TEXT NOT NULL DEFAULT '',
  labels TEXT NOT NULL DEFAULT '[]', -- JSON array of texts
  cover_id INTEGER, -- an asset
  status TEXT NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'scheduled', 'published')),
  publish_at INTEGER, -- only while scheduled
  published_at INTEGER, -- only while published
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
, notify TEXT NOT NULL DEFAULT 'later', announced_at INTEGER, source TEXT, external_id TEXT);
CREATE UNIQUE INDEX IF NOT EXISTS changelog_entries_key ON changelog_entries (subscription_id, external_key);
CREATE INDEX IF NOT EXISTS changelog_entries_created ON changelog_entries (subscription_id, created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS changelog_entries_published ON changelog_entries (subscription_id, published_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS changelog_entries_updated ON changelog_entries (subscription_id, updated_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS changelog_entries_status ON changelog_entries (subscription_id, status, created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS changelog_entries_product
  ON changelog_entries (subscription_id, product_id, created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS changelog_entries_product_status
  ON changelog_entries (subscription_id, product_id, status, created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS changelog_entries_product_published
  ON changelog_entries (subscription_id, product_id, published_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS changelog_entries_cover ON changelog_entries (subscription_id, cover_id)
  WHERE cover_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS changelog_entries_due ON changelog_entries (subscription_id, publish_at, id)
  WHERE status = 'scheduled' AND deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS changelog_entries_removed ON changelog_entries (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS changelog_entries_removed_list ON changelog_entries (subscription_id, deleted_at)
  WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS changelog_entries_heavy ON changelog_entries (subscription_id)
  WHERE octet_length(content) > 40000;
CREATE INDEX IF NOT EXISTS changelog_entries_external_id ON changelog_entries (subscription_id, source, external_id)
  WHERE external_id IS NOT NULL;
CREATE TRIGGER IF NOT EXISTS changelog_entries_search_insert AFTER INSERT ON changelog_entries
BEGIN
  INSERT INTO search (rowid, scope, title, body)
  VALUES (
    NEW.id * 16 + 8,
    's' || NEW.subscription_id || 'k8 ' || iif(
      NEW.product_id IS NULL, 's' || NEW.subscription_id || 'k8n', 'p' || NEW.product_id || 'k8'
    ),
    NEW.title,
    NEW.external_key || ' ' || NEW.labels || ' ' || iif(
      NEW.content = '', '',
      (
        SELECT group_concat(substr(value, instr(value, '>') + 1), ' ')
        FROM json_each('[' || replace(json_quote(substr(NEW.content, 1, 20000)), '<', '","') || ']')
      )
    )
  );
END;
CREATE TRIGGER IF NOT EXISTS changelog_entries_search_update
AFTER UPDATE OF title, content, labels, product_id ON changelog_entries
WHEN OLD.title IS NOT NEW.title
  OR OLD.content IS NOT NEW.content
  OR OLD.labels IS NOT NEW.labels
  OR OLD.product_id IS NOT NEW.product_id
BEGIN
  DELETE FROM search WHERE rowid = OLD.id * 16 + 8;
  INSERT INTO search (rowid, scope, title, body)
  VALUES (
    NEW.id * 16 + 8,
    's' || NEW.subscription_id || 'k8 ' || iif(
      NEW.product_id IS NULL, 's' || NEW.subscription_id || 'k8n', 'p' || NEW.product_id || 'k8'
    ),
    NEW.title,
    NEW.external_key || ' ' || NEW.labels || ' ' || iif(
      NEW.content = '', '',
      (
        SELECT group_concat(substr(value, instr(value, '>') + 1), ' ')
        FROM json_each('[' || replace(json_quote(substr(NEW.content, 1, 20000)), '<', '","') || ']')
      )
    )
  );
END;
CREATE TRIGGER IF NOT EXISTS changelog_entries_search_delete AFTER DELETE ON changelog_entries
BEGIN
  DELETE FROM search WHERE rowid = OLD.id * 16 + 8;
END;

CREATE TABLE IF NOT EXISTS changelog_ideas (
  subscription_id INTEGER NOT NULL,
  changelog_entry_id INTEGER NOT NULL,
  feedback_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, changelog_entry_id, feedback_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS changelog_ideas_idea ON changelog_ideas (subscription_id, feedback_id);

CREATE TABLE IF NOT EXISTS changelog_versions (
  subscription_id INTEGER NOT NULL,
  changelog_entry_id INTEGER NOT NULL,
  solution_version_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, changelog_entry_id, solution_version_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS changelog_versions_version ON changelog_versions (subscription_id, solution_version_id);

CREATE TABLE IF NOT EXISTS changelog_followers (
  subscription_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  left_at INTEGER, -- the person no longer follows
  created_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, user_id)
) WITHOUT ROWID;

CREATE VIEW IF NOT EXISTS append_notice AS
SELECT subscription_id, kind, feedback_id, solution_version_id, comment_id, item_comment_id, work_item_id,
  changelog_entry_id, people, message, notify, actor_user_id, created_at
FROM notices;
CREATE TRIGGER IF NOT EXISTS append_notice_inserted INSTEAD OF INSERT ON append_notice
WHEN NOT EXISTS (SELECT 1 FROM mail_silence WHERE subscription_id = NEW.subscription_id)
BEGIN
  INSERT INTO notices (
    subscription_id, kind, feedback_id, solution_version_id, comment_id, item_comment_id, work_item_id,
    changelog_entry_id, people, message, notify, actor_user_id, created_at
  )
  VALUES (
    NEW.subscription_id, NEW.kind, NEW.feedback_id, NEW.solution_version_id, NEW.comment_id, NEW.item_comment_id,
    NEW.work_item_id, NEW.changelog_entry_id, NEW.people, NEW.message, NEW.notify, NEW.actor_user_id, NEW.created_at
  );
END;

CREATE TABLE IF NOT EXISTS sign_ins (
  address_hash TEXT NOT NULL,
  subscription_id INTEGER NOT NULL, -- workspace that sends the mail, 0 for no mail
  user_id INTEGER NOT NULL,
  nonce TEXT NOT NULL, -- the code and the link are computed from it with the signing secrets
  tries INTEGER NOT NULL DEFAULT 0,
  sent INTEGER NOT NULL DEFAULT 1, -- mails since sent_since
  sent_since INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER,
  PRIMARY KEY (address_hash)
) WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS sign_ins_nonce ON sign_ins (nonce);
CREATE INDEX IF NOT EXISTS sign_ins_expired ON sign_ins (expires_at);
CREATE INDEX IF NOT EXISTS sign_ins_person ON sign_ins (subscription_id, user_id);

CREATE TABLE IF NOT EXISTS sign_in_settings (
  subscription_id INTEGER NOT NULL,
  issuer TEXT,
  client_id TEXT,
  client_secret TEXT, -- encrypted
  sealed_by TEXT,
  domains TEXT NOT NULL DEFAULT '[]', -- JSON
  verified_domains TEXT NOT NULL DEFAULT '[]', -- JSON, some of the domains
  role TEXT NOT NULL DEFAULT 'member', -- of a new person: member or viewer
  only_provider INTEGER NOT NULL DEFAULT 0,
  version INTEGER NOT NULL DEFAULT 1,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS sign_in_settings_sealed ON sign_in_settings (sealed_by) WHERE client_secret IS NOT NULL;
CREATE TRIGGER IF NOT EXISTS sign_in_settings_domains AFTER UPDATE OF verified_domains ON sign_in_settings
BEGIN
  DELETE FROM sign_in_domains WHERE subscription_id = NEW.subscription_id
    AND domain NOT IN (SELECT value FROM json_each(NEW.verified_domains));
  INSERT INTO sign_in_domains (domain, subscription_id, next_check_at)
  SELECT value, NEW.subscription_id, NEW.updated_at + 86400000 FROM json_each(NEW.verified_domains) WHERE true
  ON CONFLICT DO NOTHING;
END;

CREATE TABLE IF NOT EXISTS sign_in_domains (
  domain TEXT NOT NULL,
  subscription_id INTEGER NOT NULL, checked_at INTEGER, missing_since INTEGER, misses INTEGER NOT NULL DEFAULT 0, next_check_at INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (domain)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS sign_in_domains_workspace ON sign_in_domains (subscription_id);
CREATE INDEX IF NOT EXISTS sign_in_domains_due ON sign_in_domains (next_check_at);

CREATE TABLE IF NOT EXISTS home (
  number INTEGER NOT NULL,
  id_range INTEGER NOT NULL,
  PRIMARY KEY (number)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS workspace_moves (
  workspace_id INTEGER NOT NULL,
  state TEXT NOT NULL, -- requested: here, leaving: reads only, moved: in the other home, arriving: not yet here, failed: here
  home INTEGER NOT NULL, -- number of the other home
  step TEXT NOT NULL DEFAULT 'prepare',
  progress TEXT NOT NULL DEFAULT '{}', -- JSON, of the step
  claim INTEGER NOT NULL DEFAULT 0, -- number of the invocation that may write
  attempts INTEGER NOT NULL DEFAULT 0, -- failures since the last progress
  next_attempt_at INTEGER, -- NULL when nothing is left to do
  problem TEXT, -- why the move failed
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  moved_at INTEGER,
  PRIMARY KEY (workspace_id),
  CHECK (state IN ('requested', 'leaving', 'moved', 'arriving', 'failed'))
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS workspace_moves_due ON workspace_moves (next_attempt_at) WHERE next_attempt_at IS NOT NULL;

CREATE TABLE IF NOT EXISTS restored_ids (
  subscription_id INTEGER NOT NULL,
  export_id INTEGER NOT NULL, -- the restore
  table_name TEXT NOT NULL,
  file_id INTEGER NOT NULL, -- id of the row in the file
  rank INTEGER, -- place of the id among the ids of its table, from 1
  reserved_id INTEGER, -- id in the workspace, of the row with the highest id alone
  PRIMARY KEY (subscription_id, export_id, table_name, file_id)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS import_refusals (
  subscription_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  import_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, user_id, import_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS import_refusals_import ON import_refusals (subscription_id, import_id);

CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
);
INSERT INTO d1_migrations (name) VALUES ('0001_workspaces.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0002_requests.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0003_log.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0004_search.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0005_webhooks.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0006_files_and_imports.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0007_backlog.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0008_story_maps_and_versions.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0009_feedback.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0010_segments_and_mail.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0011_kpis.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0012_personas.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0013_experiments_and_documents.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0014_fills.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0015_import_warnings.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0016_erasures.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0017_external_ids.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0018_workspace_erasures.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0019_import_lookups.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0020_exports.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0021_named_people.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0022_shortened_events.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0023_people_in_use.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0024_external_id_lookups.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0025_changed_lists.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0026_removed_lists.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0027_webhook_exceptions.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0028_feedback_changes.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0029_all_products.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0030_allowed_origins.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0031_status_updates.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0032_comment_external_ids.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0033_incoming_records.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0034_notices.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0035_mail_settings.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0036_event_cascades.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0037_unrelease.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0038_double_opt_in.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0039_mail_silence.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0040_portals.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0041_confirmation_order.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0042_sessions.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0043_changelog.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0044_changelog_followers.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0045_sign_ins.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0046_portal_lanes.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0047_ended_sessions.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0048_sign_in_settings.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0049_publishable_keys.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0050_end_user_secrets.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0051_changelog_ids.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0052_portal_domains.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0053_domain_checks.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0054_kept_payloads.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0055_homes.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0056_restored_ids.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0057_address_changes.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0058_notices_of_comments.sql') ON CONFLICT DO NOTHING;
INSERT INTO d1_migrations (name) VALUES ('0059_import_refusals.sql') ON CONFLICT DO NOTHING;
