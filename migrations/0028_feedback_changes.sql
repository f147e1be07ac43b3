-- Changes of ideas in a bulk request while its batch runs. The table begins and ends empty.

CREATE TABLE IF NOT EXISTS feedback_changes (
  subscription_id INTEGER NOT NULL,
  n INTEGER NOT NULL,
  op TEXT NOT NULL,
  external_key TEXT,
  item_id INTEGER,
  product_id INTEGER,
  into_id INTEGER, -- idea that stays after a merge
  body TEXT NOT NULL, -- JSON of columns
  tags TEXT, -- JSON of names and slugs
  problem TEXT,
  PRIMARY KEY (subscription_id, n)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS feedback_changes_item ON feedback_changes (subscription_id, item_id);
