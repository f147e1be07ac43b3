-- Updates of a bulk name KPIs and files too: whether one names a given one is found by both.
CREATE INDEX work_item_bulk_parent ON work_item_bulk (subscription_id, parent, target_id) WHERE parent IS NOT NULL;
