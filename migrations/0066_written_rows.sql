-- How many rows each workspace has written on the last day on which it wrote. Days are counted since 1970, in UTC.
CREATE TABLE written_rows (
  subscription_id INTEGER NOT NULL,
  day INTEGER NOT NULL,
  written INTEGER NOT NULL,
  PRIMARY KEY (subscription_id)
) WITHOUT ROWID;
