-- A person without a name has no full name to find, and no row in the index.

DROP INDEX IF EXISTS users_full_name;
CREATE INDEX IF NOT EXISTS users_known_name ON users (subscription_id, lower(trim(first_name || ' ' || last_name)))
  WHERE deleted_at IS NULL AND first_name || last_name <> '';
