-- How often a segment was mailed lately.
CREATE INDEX emails_segment ON emails (subscription_id, segment_id, created_at);
