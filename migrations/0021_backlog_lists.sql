-- What an import or a user keeps of an item besides its fields.
ALTER TABLE work_items ADD COLUMN attributes TEXT NOT NULL DEFAULT '{}';
DROP INDEX work_items_heavy;
CREATE INDEX work_items_heavy ON work_items (subscription_id) WHERE octet_length(description) + octet_length(business_goal) + octet_length(personas) + octet_length(tags) + octet_length(urls) + octet_length(attributes) > 40000;

-- Numeric text is ordered as a number, nothing as nothing.
ALTER TABLE work_items ADD COLUMN business_value_number REAL GENERATED ALWAYS AS (CASE WHEN business_value = '' THEN NULL ELSE CAST(business_value AS REAL) END) VIRTUAL;

-- A rank is a fractional index in base 62: k and eleven digits, and what moves add behind them.
UPDATE work_items SET rank = 'k1' || substr(rank, 3);

-- The orders of its lists.
CREATE INDEX work_items_rank ON work_items (product_id, type, rank, id) WHERE deleted_at IS NULL;
CREATE INDEX work_items_updated ON work_items (product_id, type, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX work_items_score ON work_items (product_id, type, score, id) WHERE deleted_at IS NULL;
CREATE INDEX work_items_value ON work_items (product_id, type, business_value_number, id) WHERE deleted_at IS NULL;
CREATE INDEX work_items_start ON work_items (product_id, type, start_date, id) WHERE deleted_at IS NULL;
CREATE INDEX work_items_end ON work_items (product_id, type, end_date, id) WHERE deleted_at IS NULL;
CREATE INDEX work_items_jira_key ON work_items (product_id, jira_key) WHERE jira_key <> '';
