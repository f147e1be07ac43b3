-- Records whose long texts are more than a hundredth of a page: while a workspace has none, no page need count bytes.
CREATE INDEX work_items_heavy ON work_items (subscription_id) WHERE octet_length(description) + octet_length(business_goal) + octet_length(personas) + octet_length(tags) + octet_length(urls) > 40000;
CREATE INDEX feedback_items_heavy ON feedback_items (subscription_id) WHERE octet_length(target_audience) + octet_length(value_proposition) + octet_length(long_description) > 40000;
CREATE INDEX personas_heavy ON personas (subscription_id) WHERE coalesce(octet_length(description), 0) + octet_length(goals) + octet_length(pains) > 40000;
CREATE INDEX persona_summaries_heavy ON persona_summaries (subscription_id) WHERE octet_length(text) > 40000;

-- How long the public comments of an idea are together, kept by the triggers below.
ALTER TABLE feedback_items ADD COLUMN comment_bytes INTEGER NOT NULL DEFAULT 0;
UPDATE feedback_items SET comment_bytes = coalesce((SELECT sum(octet_length(text)) FROM feedback_comments WHERE feedback_comments.subscription_id = feedback_items.subscription_id AND feedback_id = feedback_items.id AND is_private = 0 AND deleted_at IS NULL), 0);
DROP TRIGGER feedback_comments_counted;
DROP TRIGGER feedback_comments_recounted;
DROP TRIGGER feedback_comments_uncounted;
CREATE TRIGGER feedback_comments_counted AFTER INSERT ON feedback_comments WHEN NEW.is_private = 0 AND NEW.deleted_at IS NULL BEGIN UPDATE feedback_items SET comment = comment + 1, comment_bytes = comment_bytes + octet_length(NEW.text) WHERE id = NEW.feedback_id; END;
CREATE TRIGGER feedback_comments_recounted AFTER UPDATE OF text, is_private, deleted_at ON feedback_comments BEGIN UPDATE feedback_items SET comment = comment + (NEW.is_private = 0 AND NEW.deleted_at IS NULL) - (OLD.is_private = 0 AND OLD.deleted_at IS NULL), comment_bytes = comment_bytes + (NEW.is_private = 0 AND NEW.deleted_at IS NULL) * octet_length(NEW.text) - (OLD.is_private = 0 AND OLD.deleted_at IS NULL) * octet_length(OLD.text) WHERE id = NEW.feedback_id; END;
CREATE TRIGGER feedback_comments_uncounted AFTER DELETE ON feedback_comments WHEN OLD.is_private = 0 AND OLD.deleted_at IS NULL BEGIN UPDATE feedback_items SET comment = comment - 1, comment_bytes = comment_bytes - octet_length(OLD.text) WHERE id = OLD.feedback_id; END;
