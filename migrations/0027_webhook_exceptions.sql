-- Origins of events that a webhook does not receive, as a JSON list.

ALTER TABLE webhooks ADD COLUMN excluded_origins TEXT NOT NULL DEFAULT '[]';
