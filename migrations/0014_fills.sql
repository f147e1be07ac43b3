-- Progress of the fills in src/workspace/fills: a fill has written the rows up to the position.

CREATE TABLE IF NOT EXISTS fills (
  name TEXT NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (name)
) WITHOUT ROWID;
