-- Homes: databases that hold whole workspaces (docs/homes.md).

-- One row: the number of this home, and the range of ids that its tables take ids from.
CREATE TABLE IF NOT EXISTS home (
  number INTEGER NOT NULL,
  id_range INTEGER NOT NULL,
  PRIMARY KEY (number)
) WITHOUT ROWID;

-- Workspaces that move, have moved or have failed to move. A workspace without a row is here. The table names no
-- tenant, because an erasure of the workspace keeps the row.
CREATE TABLE IF NOT EXISTS workspace_moves (
  workspace_id INTEGER NOT NULL,
  state TEXT NOT NULL, -- requested: here, leaving: reads only, moved: in the other home, arriving: not yet here, failed: here
  home INTEGER NOT NULL, -- number of the other home
  step TEXT NOT NULL DEFAULT 'prepare',
  progress TEXT NOT NULL DEFAULT '{}', -- JSON, of the step
  claim INTEGER NOT NULL DEFAULT 0, -- number of the invocation that may write
  attempts INTEGER NOT NULL DEFAULT 0, -- failures since the last progress
  next_attempt_at INTEGER, -- NULL when nothing is left to do
  problem TEXT, -- why the move failed
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  moved_at INTEGER,
  PRIMARY KEY (workspace_id),
  CHECK (state IN ('requested', 'leaving', 'moved', 'arriving', 'failed'))
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS workspace_moves_due ON workspace_moves (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
