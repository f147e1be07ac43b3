-- Payloads of ignored and failed deliveries stay for a replay, for the newest receipts of an incoming webhook.
CREATE INDEX IF NOT EXISTS incoming_receipts_kept ON incoming_receipts (subscription_id, incoming_webhook_id, created_at, id)
  WHERE payload IS NOT NULL AND status <> 'queued';
