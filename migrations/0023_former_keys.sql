-- The keys that an item had before it was converted: they still find it.
CREATE TABLE work_item_keys (
  subscription_id INTEGER NOT NULL,
  external_key TEXT NOT NULL,
  work_item_id INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, external_key)
) WITHOUT ROWID;
CREATE INDEX work_item_keys_item ON work_item_keys (subscription_id, work_item_id);
