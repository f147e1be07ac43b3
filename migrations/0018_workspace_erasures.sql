-- The time at which a workspace is erased. Each key repeats the time, because every write reads the row of its key.

ALTER TABLE subscriptions ADD COLUMN erase_at INTEGER;
ALTER TABLE api_keys ADD COLUMN erase_at INTEGER;
CREATE INDEX IF NOT EXISTS subscriptions_erase ON subscriptions (erase_at) WHERE erase_at IS NOT NULL;

CREATE TRIGGER IF NOT EXISTS api_keys_of_erased_workspace AFTER INSERT ON api_keys
WHEN EXISTS (SELECT 1 FROM subscriptions WHERE id = NEW.subscription_id AND erase_at IS NOT NULL)
BEGIN
  UPDATE api_keys
  SET erase_at = (SELECT erase_at FROM subscriptions WHERE id = NEW.subscription_id)
  WHERE id = NEW.id;
END;
