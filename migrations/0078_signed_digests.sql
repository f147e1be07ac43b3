-- By what its sender signed, too, a delivery is known: the SHA-256 of that. NULL where nothing was signed.
ALTER TABLE incoming_receipts ADD COLUMN signed_digest TEXT;
CREATE INDEX incoming_receipts_signed ON incoming_receipts (subscription_id, incoming_webhook_id, signed_digest) WHERE signed_digest IS NOT NULL;
