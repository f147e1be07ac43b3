-- A restore inserts the members after their confirmations, and must not change a later time of the next mail.
DROP TRIGGER IF EXISTS segment_members_unconfirmed;
CREATE TRIGGER segment_members_unconfirmed AFTER INSERT ON segment_members
WHEN (SELECT double_opt_in = 1 AND coalesce(double_opt_in_since, 0) <= NEW.created_at
  FROM segments WHERE id = NEW.segment_id)
BEGIN
  INSERT INTO segment_confirmations (subscription_id, segment_id, user_id, due_at, created_at)
  VALUES (NEW.subscription_id, NEW.segment_id, NEW.user_id, NEW.created_at, NEW.created_at)
  ON CONFLICT DO UPDATE SET due_at = excluded.due_at
    WHERE status = 'pending' AND coalesce(due_at, 0) < excluded.due_at
      AND coalesce(asked_at, 0) <= excluded.due_at - 86400000;
END;
