-- A search finds a record by its whole id in another system, in any source.

CREATE INDEX IF NOT EXISTS work_item_foreign_ids_id ON work_item_foreign_ids (subscription_id, foreign_id);
CREATE INDEX IF NOT EXISTS feedback_items_id_elsewhere ON feedback_items (subscription_id, external_id)
  WHERE external_id IS NOT NULL;
