-- The key that made a key or webhook before another key rotated that key: revoking the maker still ends them.
ALTER TABLE api_keys ADD COLUMN first_issued_by INTEGER;
CREATE INDEX api_keys_first_issued ON api_keys (subscription_id, first_issued_by) WHERE first_issued_by IS NOT NULL;
ALTER TABLE webhooks ADD COLUMN first_key_id INTEGER;
CREATE INDEX webhooks_first_key ON webhooks (subscription_id, first_key_id) WHERE first_key_id IS NOT NULL;
ALTER TABLE incoming_webhooks ADD COLUMN first_key_id INTEGER;
CREATE INDEX incoming_webhooks_first_key ON incoming_webhooks (subscription_id, first_key_id) WHERE first_key_id IS NOT NULL;
