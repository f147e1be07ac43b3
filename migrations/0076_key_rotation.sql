-- Which key made a key by rotation: revoking it ends the successor. NULL for keys that succeed no other.
ALTER TABLE api_keys ADD COLUMN rotated_by INTEGER;
CREATE INDEX api_keys_rotated ON api_keys (subscription_id, rotated_by) WHERE rotated_by IS NOT NULL;
