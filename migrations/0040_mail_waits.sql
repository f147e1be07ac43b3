ALTER TABLE emails ADD COLUMN reply_to TEXT;
-- Not before this moment.
ALTER TABLE emails ADD COLUMN scheduled_at INTEGER;
-- What had not gone by then does not go.
ALTER TABLE emails ADD COLUMN canceled_at INTEGER;
