-- Verified domains are looked up again, daily. A change of the settings keeps the checks of the domains that stay.
ALTER TABLE sign_in_domains ADD COLUMN checked_at INTEGER;
ALTER TABLE sign_in_domains ADD COLUMN missing_since INTEGER; -- the first of the last checks that found no record
ALTER TABLE sign_in_domains ADD COLUMN misses INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sign_in_domains ADD COLUMN next_check_at INTEGER NOT NULL DEFAULT 0;
CREATE INDEX IF NOT EXISTS sign_in_domains_due ON sign_in_domains (next_check_at);

DROP TRIGGER IF EXISTS sign_in_settings_domains;
CREATE TRIGGER IF NOT EXISTS sign_in_settings_domains AFTER UPDATE OF verified_domains ON sign_in_settings
BEGIN
  DELETE FROM sign_in_domains WHERE subscription_id = NEW.subscription_id
    AND domain NOT IN (SELECT value FROM json_each(NEW.verified_domains));
  INSERT INTO sign_in_domains (domain, subscription_id, next_check_at)
  SELECT value, NEW.subscription_id, NEW.updated_at + 86400000 FROM json_each(NEW.verified_domains) WHERE true
  ON CONFLICT DO NOTHING;
END;
