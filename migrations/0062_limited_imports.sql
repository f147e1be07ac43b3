-- 1: the key of the run was limited to products, so it makes nobody a member.
ALTER TABLE imports ADD COLUMN limited INTEGER NOT NULL DEFAULT 0;
