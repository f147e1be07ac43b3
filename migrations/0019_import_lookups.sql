-- Imports find members by their full names, and solution versions by name.

CREATE INDEX IF NOT EXISTS users_full_name ON users (subscription_id, lower(trim(first_name || ' ' || last_name)))
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS solution_versions_name ON solution_versions (product_id, name) WHERE deleted_at IS NULL;
