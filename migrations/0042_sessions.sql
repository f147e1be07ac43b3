-- A session of a person is a row of api_keys, beside the secret keys of programs. Lists of keys and of sessions each have an index.

ALTER TABLE api_keys ADD COLUMN kind TEXT NOT NULL DEFAULT 'secret';

DROP INDEX IF EXISTS api_keys_created;
CREATE INDEX IF NOT EXISTS api_keys_listed ON api_keys (subscription_id, created_at, id) WHERE kind <> 'session';
CREATE INDEX IF NOT EXISTS api_keys_sessions ON api_keys (subscription_id, user_id, created_at, id) WHERE kind = 'session';
