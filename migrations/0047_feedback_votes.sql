-- Votes for and against, and from which merged item one has come.
ALTER TABLE feedback_votes ADD COLUMN type TEXT NOT NULL DEFAULT 'up';
ALTER TABLE feedback_votes ADD COLUMN merged_from INTEGER;
CREATE INDEX feedback_votes_up ON feedback_votes (subscription_id, feedback_id, created_at, user_id) WHERE type = 'up';
CREATE INDEX feedback_votes_merged ON feedback_votes (subscription_id, merged_from) WHERE merged_from IS NOT NULL;
DROP TRIGGER feedback_votes_counted;
DROP TRIGGER feedback_votes_uncounted;
CREATE TRIGGER feedback_votes_counted AFTER INSERT ON feedback_votes BEGIN UPDATE feedback_items SET vote = vote + (NEW.type = 'up'), down_vote = down_vote + (NEW.type = 'down') WHERE id = NEW.feedback_id; END;
CREATE TRIGGER feedback_votes_recounted AFTER UPDATE OF type ON feedback_votes WHEN NEW.type <> OLD.type BEGIN UPDATE feedback_items SET vote = vote + (NEW.type = 'up') - (OLD.type = 'up'), down_vote = down_vote + (NEW.type = 'down') - (OLD.type = 'down') WHERE id = NEW.feedback_id; END;
CREATE TRIGGER feedback_votes_uncounted AFTER DELETE ON feedback_votes BEGIN UPDATE feedback_items SET vote = vote - (OLD.type = 'up'), down_vote = down_vote - (OLD.type = 'down') WHERE id = OLD.feedback_id; END;

-- Who is mailed when the status of an item changes. Whoever has left keeps a row, so that no vote or comment brings them back.
CREATE TABLE feedback_subscriptions (
  subscription_id INTEGER NOT NULL,
  feedback_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  reason TEXT NOT NULL, -- author, vote, comment, asked, or left
  merged_from INTEGER,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, feedback_id, user_id)
) WITHOUT ROWID;
CREATE INDEX feedback_subscriptions_merged ON feedback_subscriptions (subscription_id, merged_from) WHERE merged_from IS NOT NULL;
CREATE TRIGGER feedback_items_subscribed AFTER INSERT ON feedback_items BEGIN INSERT INTO feedback_subscriptions (subscription_id, feedback_id, user_id, reason, created_at) VALUES (NEW.subscription_id, NEW.id, NEW.user_id, 'author', NEW.created_at); END;
INSERT INTO feedback_subscriptions (subscription_id, feedback_id, user_id, reason, created_at) SELECT subscription_id, id, user_id, 'author', created_at FROM feedback_items;
INSERT OR IGNORE INTO feedback_subscriptions (subscription_id, feedback_id, user_id, reason, created_at) SELECT subscription_id, feedback_id, user_id, 'vote', created_at FROM feedback_votes;
INSERT OR IGNORE INTO feedback_subscriptions (subscription_id, feedback_id, user_id, reason, created_at) SELECT subscription_id, feedback_id, user_id, 'comment', min(created_at) FROM feedback_comments WHERE is_private = 0 AND deleted_at IS NULL GROUP BY 1, 2, 3;
