-- Sign-in by the provider of a workspace (OpenID Connect), for addresses of domains that the workspace has verified.
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

-- An address names no workspace, so a verified domain belongs to a single workspace.
CREATE TABLE IF NOT EXISTS sign_in_domains (
  domain TEXT NOT NULL,
  subscription_id INTEGER NOT NULL,
  PRIMARY KEY (domain)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS sign_in_domains_workspace ON sign_in_domains (subscription_id);

CREATE TRIGGER IF NOT EXISTS sign_in_settings_domains AFTER UPDATE OF verified_domains ON sign_in_settings
BEGIN
  DELETE FROM sign_in_domains WHERE subscription_id = NEW.subscription_id;
  INSERT INTO sign_in_domains (domain, subscription_id)
  SELECT value, NEW.subscription_id FROM json_each(NEW.verified_domains) WHERE true
  ON CONFLICT DO NOTHING;
END;

INSERT INTO sign_in_settings (subscription_id, updated_at)
SELECT id, created_at FROM subscriptions WHERE true
ON CONFLICT DO NOTHING;

CREATE TRIGGER IF NOT EXISTS subscriptions_sign_in AFTER INSERT ON subscriptions
BEGIN
  INSERT INTO sign_in_settings (subscription_id, updated_at) VALUES (NEW.id, NEW.created_at);
END;
