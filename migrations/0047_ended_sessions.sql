-- The cron deletes ended sessions. A session that keys or webhooks still name stays, and leaves the index of the cron.
ALTER TABLE api_keys ADD COLUMN retained INTEGER NOT NULL DEFAULT 0;

CREATE INDEX IF NOT EXISTS api_keys_ended ON api_keys (min(expires_at, coalesce(revoked_at, expires_at)))
  WHERE kind = 'session' AND retained = 0;
