-- 1 where what the provider tells of the message names it by its id alone.
ALTER TABLE email_recipients ADD COLUMN by_id INTEGER;
-- For what mail providers tell, who know of no workspace.
CREATE INDEX email_recipients_by_id ON email_recipients (provider_id) WHERE by_id = 1;
