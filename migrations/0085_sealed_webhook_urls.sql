-- The URL of an endpoint, where it holds the token of an incoming webhook: encrypted, while url shows a mask. The cron encrypts the URLs copied here.
ALTER TABLE webhooks ADD COLUMN sealed_url TEXT;
UPDATE webhooks SET sealed_url = url, sealed_by = '', url = substr(url, 1, 7 + instr(substr(url, 9) || '/', '/')) || '/api/hooks/' || subscription_id || '-••••' WHERE hook_token_hash IS NOT NULL;
