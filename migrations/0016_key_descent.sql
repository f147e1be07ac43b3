-- Which key made a key: revoking it ends what it made. NULL for those that no key made.
ALTER TABLE api_keys ADD COLUMN issued_by INTEGER;
CREATE INDEX api_keys_issued ON api_keys (subscription_id, issued_by) WHERE issued_by IS NOT NULL;
