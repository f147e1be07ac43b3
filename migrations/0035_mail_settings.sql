-- Links and texts of mail about changes. NULL or a missing text means the default.
ALTER TABLE settings ADD COLUMN idea_url TEXT;
ALTER TABLE settings ADD COLUMN mail_templates TEXT NOT NULL DEFAULT '{}';
