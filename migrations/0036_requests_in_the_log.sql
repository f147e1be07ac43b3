-- Which request has told an event: by it a write whose answer was lost is found again.
ALTER TABLE events ADD COLUMN request_id TEXT;
