-- The view for new events, and the columns of the mail provider's events, have names in plain words.
DROP VIEW told;
CREATE VIEW append_event AS SELECT subscription_id, id, product_id, type, actor_user_id, actor_key, resource_key, created_at, person_id, request_id, data, previous, origin, hops FROM log;
CREATE TRIGGER append_event_inserted INSTEAD OF INSERT ON append_event BEGIN INSERT INTO log (place, subscription_id, product_id, type, actor_user_id, actor_key, resource_key, created_at, person_id, request_id, data, previous, origin, hops) VALUES (NEW.subscription_id << 32 | NEW.id, NEW.subscription_id, NEW.product_id, NEW.type, NEW.actor_user_id, NEW.actor_key, NEW.resource_key, NEW.created_at, NEW.person_id, NEW.request_id, NEW.data, NEW.previous, NEW.origin, NEW.hops); END;
ALTER TABLE emails RENAME COLUMN told TO event_count;
ALTER TABLE email_recipients RENAME COLUMN told TO event_rank;
DROP INDEX mail_outages_untold;
ALTER TABLE mail_outages RENAME COLUMN told_at TO reported_at;
CREATE INDEX mail_outages_unreported ON mail_outages (since) WHERE reported_at IS NULL;
