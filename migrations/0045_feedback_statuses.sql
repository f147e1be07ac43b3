-- What a workspace has settled, and the statuses of its feedback, of which each has seven to begin with.
CREATE TABLE settings (
  subscription_id INTEGER NOT NULL,
  feedback TEXT NOT NULL DEFAULT '{"moderation":false}',
  version INTEGER NOT NULL DEFAULT 1,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id)
) WITHOUT ROWID;

CREATE TABLE feedback_statuses (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  slug TEXT NOT NULL,
  color TEXT,
  position INTEGER NOT NULL,
  ends_voting INTEGER NOT NULL DEFAULT 0,
  progress TEXT, -- of a work item, that sets it
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE INDEX feedback_statuses_position ON feedback_statuses (subscription_id, position, id) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX feedback_statuses_slug ON feedback_statuses (subscription_id, slug) WHERE deleted_at IS NULL;
CREATE INDEX feedback_statuses_progress ON feedback_statuses (subscription_id, progress, position, id) WHERE deleted_at IS NULL;
CREATE INDEX feedback_statuses_removed ON feedback_statuses (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TRIGGER subscriptions_begun AFTER INSERT ON subscriptions BEGIN INSERT INTO settings (subscription_id, updated_at) VALUES (NEW.id, NEW.created_at); INSERT INTO feedback_statuses (subscription_id, position, name, slug, color, ends_voting, progress, created_at, updated_at) SELECT NEW.id, column1, column2, replace(column2, ' ', '-'), column3, column4, column5, NEW.created_at, NEW.created_at FROM (VALUES (1, 'open', '#64748b', 0, NULL), (2, 'under review', '#0ea5e9', 0, NULL), (3, 'planned', '#6366f1', 0, 'to-do'), (4, 'in progress', '#f59e0b', 0, 'in-progress'), (5, 'completed', '#22c55e', 1, 'done'), (6, 'declined', '#ef4444', 1, NULL), (7, 'duplicate', '#a1a1aa', 1, NULL)); END;
INSERT INTO settings (subscription_id, updated_at) SELECT id, created_at FROM subscriptions;
INSERT INTO feedback_statuses (subscription_id, position, name, slug, color, ends_voting, progress, created_at, updated_at) SELECT s.id, column1, column2, replace(column2, ' ', '-'), column3, column4, column5, s.created_at, s.created_at FROM subscriptions s CROSS JOIN (VALUES (1, 'open', '#64748b', 0, NULL), (2, 'under review', '#0ea5e9', 0, NULL), (3, 'planned', '#6366f1', 0, 'to-do'), (4, 'in progress', '#f59e0b', 0, 'in-progress'), (5, 'completed', '#22c55e', 1, 'done'), (6, 'declined', '#ef4444', 1, NULL), (7, 'duplicate', '#a1a1aa', 1, NULL)) ORDER BY s.id, column1;

-- Whatever sets a status, the log tells it. Who acted is who the log has just told to have changed the item, or its work item. What leaves a status that is gone is no news.
CREATE TRIGGER feedback_items_status_changed AFTER UPDATE OF status_id ON feedback_items WHEN NEW.status_id IS NOT OLD.status_id AND NEW.deleted_at IS NULL AND NOT EXISTS (SELECT 1 FROM feedback_statuses WHERE id = OLD.status_id AND deleted_at IS NOT NULL) BEGIN INSERT INTO events (subscription_id, id, product_id, type, actor_user_id, actor_key, resource_key, data, previous, created_at) SELECT NEW.subscription_id, (SELECT coalesce(max(id), 0) + 1 FROM events WHERE subscription_id = NEW.subscription_id), NEW.product_id, 'feedback.status_changed', CASE WHEN NEW.is_anonymous IS NOT 1 THEN coalesce(e.actor_user_id, w.actor_user_id) END, CASE WHEN NEW.is_anonymous IS NOT 1 THEN coalesce(e.actor_key, w.actor_key) END, NEW.external_key, json_object('id', NEW.id, 'external_key', NEW.external_key, 'slug', NEW.slug, 'title', NEW.title, 'status_id', NEW.status_id, 'currentStatus', (SELECT name FROM feedback_statuses WHERE id = NEW.status_id)), json_object('status_id', OLD.status_id, 'currentStatus', (SELECT name FROM feedback_statuses WHERE id = OLD.status_id)), NEW.updated_at FROM (SELECT 1) LEFT JOIN events e ON e.subscription_id = NEW.subscription_id AND e.created_at = NEW.updated_at AND e.id = (SELECT max(id) FROM events WHERE subscription_id = NEW.subscription_id AND resource_key = NEW.external_key) LEFT JOIN events w ON w.subscription_id = NEW.subscription_id AND w.created_at = NEW.updated_at AND w.id = (SELECT max(id) FROM events WHERE subscription_id = NEW.subscription_id AND resource_key = (SELECT external_key FROM work_items WHERE id = NEW.work_item_id)); END;
