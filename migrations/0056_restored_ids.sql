-- Ids of the rows in the file of a restore, until the restore ends. The order of these ids is the order of the new ids.
CREATE TABLE IF NOT EXISTS restored_ids (
  subscription_id INTEGER NOT NULL,
  export_id INTEGER NOT NULL, -- the restore
  table_name TEXT NOT NULL,
  file_id INTEGER NOT NULL, -- id of the row in the file
  rank INTEGER, -- place of the id among the ids of its table, from 1
  reserved_id INTEGER, -- id in the workspace, of the row with the highest id alone
  PRIMARY KEY (subscription_id, export_id, table_name, file_id)
) WITHOUT ROWID;
