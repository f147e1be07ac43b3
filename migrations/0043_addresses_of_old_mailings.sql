-- Since when none of its recipients has an address here any more.
ALTER TABLE emails ADD COLUMN erased_at INTEGER;
-- For the cron: mailings that ended and still have addresses, whoever they belong to.
CREATE INDEX emails_ended ON emails (completed_at) WHERE completed_at IS NOT NULL AND erased_at IS NULL;
