CREATE TABLE work_item_links (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL, -- of the item that it was given
  from_id INTEGER NOT NULL,
  to_id INTEGER NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('blocks', 'relates', 'duplicates')),
  created_at INTEGER NOT NULL
);
CREATE UNIQUE INDEX work_item_links_to ON work_item_links (subscription_id, to_id, type, from_id);
CREATE INDEX work_item_links_from ON work_item_links (subscription_id, from_id, type, to_id);
