-- The progress of a work item sets the status of the ideas that were promoted to it, whatever changes it: an item without ideas pays nothing for that.
CREATE TRIGGER work_items_progress_followed AFTER UPDATE OF progress ON work_items WHEN NEW.progress IS NOT OLD.progress AND EXISTS (SELECT 1 FROM feedback_items WHERE subscription_id = NEW.subscription_id AND work_item_id = NEW.id AND deleted_at IS NULL) BEGIN UPDATE feedback_items SET status_id = s.id, updated_at = NEW.updated_at, version = feedback_items.version + 1 FROM (SELECT id FROM feedback_statuses WHERE subscription_id = NEW.subscription_id AND progress = NEW.progress AND deleted_at IS NULL ORDER BY position, id LIMIT 1) s WHERE feedback_items.subscription_id = NEW.subscription_id AND feedback_items.work_item_id = NEW.id AND feedback_items.deleted_at IS NULL AND feedback_items.status_id IS NOT s.id; END;

-- What people are to be mailed about, until they are: a change of status, or the release of a version.
CREATE TABLE feedback_notices (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  feedback_id INTEGER,
  status_id INTEGER,
  solution_version_id INTEGER,
  created_at INTEGER NOT NULL
);
CREATE INDEX feedback_notices_tenant ON feedback_notices (subscription_id, id);
CREATE INDEX feedback_notices_due ON feedback_notices (created_at, id);
CREATE TRIGGER feedback_items_noticed AFTER UPDATE OF status_id ON feedback_items WHEN NEW.status_id IS NOT OLD.status_id AND NEW.status_id IS NOT NULL AND NEW.deleted_at IS NULL AND NEW.merged_into IS NULL AND NOT EXISTS (SELECT 1 FROM feedback_statuses WHERE id = OLD.status_id AND deleted_at IS NOT NULL) BEGIN INSERT INTO feedback_notices (subscription_id, feedback_id, status_id, created_at) VALUES (NEW.subscription_id, NEW.id, NEW.status_id, NEW.updated_at); END;
