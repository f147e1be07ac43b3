-- Ideas that are made together, while their batch is at work, and why one is left out. It begins and ends empty.
CREATE TABLE feedback_bulk (
  subscription_id INTEGER NOT NULL,
  n INTEGER NOT NULL,
  product_id INTEGER,
  slug TEXT NOT NULL,
  author TEXT, -- address
  name TEXT,
  body TEXT NOT NULL, -- its columns
  tags TEXT NOT NULL, -- names and slugs
  user_id INTEGER,
  item_id INTEGER,
  external_key TEXT,
  problem TEXT,
  PRIMARY KEY (subscription_id, n)
) WITHOUT ROWID;
