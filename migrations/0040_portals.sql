-- The public portal of a workspace. A workspace without a slug has no portal.
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
  sealed_by TEXT,
  PRIMARY KEY (subscription_id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS portals_slug ON portals (slug) WHERE slug IS NOT NULL;

INSERT INTO portals (subscription_id, updated_at)
SELECT id, created_at FROM subscriptions WHERE true
ON CONFLICT DO NOTHING;

CREATE TRIGGER IF NOT EXISTS subscriptions_portal AFTER INSERT ON subscriptions
BEGIN
  INSERT INTO portals (subscription_id, updated_at) VALUES (NEW.id, NEW.created_at);
END;
