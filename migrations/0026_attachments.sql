-- What files hang on besides work items: rows of kind, like feedback, and the id of a record of that kind.
CREATE TABLE attachments (
  subscription_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  holder_id INTEGER NOT NULL,
  asset_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, kind, holder_id, asset_id)
) WITHOUT ROWID;
CREATE INDEX attachments_asset ON attachments (subscription_id, asset_id);
