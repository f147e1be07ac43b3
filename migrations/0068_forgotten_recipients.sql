-- Since when the recipients of a mailing, which keep no addresses by then, are no rows any more.
ALTER TABLE emails ADD COLUMN forgotten_at INTEGER;
-- For the cron: mailings whose recipients still are.
CREATE INDEX emails_erased ON emails (completed_at) WHERE erased_at IS NOT NULL AND forgotten_at IS NULL;
