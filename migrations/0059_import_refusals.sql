-- People whose row in an import says that they get no mail, which the import did not take over.
CREATE TABLE IF NOT EXISTS import_refusals (
  subscription_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  import_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, user_id, import_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS import_refusals_import ON import_refusals (subscription_id, import_id);
