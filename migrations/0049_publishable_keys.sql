-- A key of the kind `publishable` stands in pages of these origins: JSON of texts, NULL for another kind.
ALTER TABLE api_keys ADD COLUMN origins TEXT;
