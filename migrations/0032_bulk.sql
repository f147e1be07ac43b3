-- The operations of a bulk while its batch is at work: what they are about, and why one is left out. It begins and ends empty.
CREATE TABLE work_item_bulk (
  subscription_id INTEGER NOT NULL,
  n INTEGER NOT NULL,
  op TEXT NOT NULL,
  type TEXT NOT NULL,
  target_id INTEGER, -- of what is there already
  item_id INTEGER,
  external_key TEXT,
  parent INTEGER, -- n of what makes its parent
  body TEXT NOT NULL,
  problem TEXT,
  PRIMARY KEY (subscription_id, n)
) WITHOUT ROWID;
CREATE INDEX work_item_bulk_target ON work_item_bulk (subscription_id, target_id) WHERE target_id IS NOT NULL;
