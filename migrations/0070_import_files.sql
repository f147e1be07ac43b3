-- For the cron, which asks whether the bytes at a key have a record.
CREATE INDEX imports_object ON imports (subscription_id, object_key) WHERE object_key IS NOT NULL;
