-- Whoever comes back other than by a restore is new here: what the removal took is forgotten. A restore gives it back first.
CREATE TRIGGER users_revived AFTER UPDATE OF deleted_at ON users WHEN OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL BEGIN DELETE FROM detachments WHERE subscription_id = NEW.subscription_id AND kind = 'segment_member' AND removed_id = NEW.id; END;
DELETE FROM detachments WHERE kind = 'segment_member' AND EXISTS (SELECT 1 FROM users WHERE users.id = detachments.removed_id AND users.deleted_at IS NULL);
