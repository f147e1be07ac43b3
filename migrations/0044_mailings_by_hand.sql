-- How often a workspace was mailed lately by somebody who asked for it; what the service sends by itself is not counted.
CREATE INDEX emails_by_hand ON emails (subscription_id, created_at) WHERE kind IN ('segment', 'members', 'test');
