-- What senders to an incoming webhook signed with before its secret was rotated, sealed, and until when that will do.
ALTER TABLE incoming_webhooks ADD COLUMN previous_secret TEXT;
ALTER TABLE incoming_webhooks ADD COLUMN previous_until INTEGER;
