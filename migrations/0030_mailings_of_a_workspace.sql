-- How often all segments of a workspace were mailed lately.
CREATE INDEX emails_created ON emails (subscription_id, created_at);
