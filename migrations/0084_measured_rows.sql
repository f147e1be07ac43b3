-- total_changes() of the connection at the start of the last charged batch, to measure the rows of the batch inside the batch.
ALTER TABLE written_rows ADD COLUMN changes_before INTEGER NOT NULL DEFAULT 0;
