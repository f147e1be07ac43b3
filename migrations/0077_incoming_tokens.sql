-- Of the token of an incoming webhook the database keeps the SHA-256 alone. What was made before has no URL any more: rotate it.
ALTER TABLE incoming_webhooks RENAME COLUMN token TO token_hash;
UPDATE incoming_webhooks SET token_hash = 'rotated:' || id;
-- The token before the last rotation, which does until previous_until.
ALTER TABLE incoming_webhooks ADD COLUMN previous_token_hash TEXT;
CREATE INDEX incoming_webhooks_previous_token ON incoming_webhooks (subscription_id, previous_token_hash) WHERE previous_token_hash IS NOT NULL;
