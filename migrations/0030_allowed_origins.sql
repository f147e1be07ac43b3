-- Origins whose pages may call the service from a browser, as a JSON array.
ALTER TABLE settings ADD COLUMN cors TEXT NOT NULL DEFAULT '[]';
