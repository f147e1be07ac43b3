-- What items are called elsewhere, by source; what Jira calls them is their jira_id.
CREATE TABLE work_item_foreign_ids (
  subscription_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  source TEXT NOT NULL,
  foreign_id TEXT NOT NULL,
  work_item_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, product_id, source, foreign_id)
) WITHOUT ROWID;
CREATE INDEX work_item_foreign_ids_item ON work_item_foreign_ids (subscription_id, work_item_id);
CREATE INDEX work_items_jira_id ON work_items (product_id, jira_id) WHERE jira_id <> '';
