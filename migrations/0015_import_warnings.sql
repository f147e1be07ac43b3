-- Values of optional fields that a run left out or replaced, with the count of their rows.

CREATE TABLE IF NOT EXISTS import_warnings (
  subscription_id INTEGER NOT NULL,
  import_id INTEGER NOT NULL,
  number INTEGER NOT NULL, -- in the order of the rows
  field TEXT NOT NULL,
  column_name TEXT,
  value TEXT,
  became TEXT,
  reason TEXT NOT NULL,
  row_count INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, import_id, number)
) WITHOUT ROWID;
