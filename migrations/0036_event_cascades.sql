-- Records that leave or return with a removed or restored parent: a JSON object from the resource to the count.

ALTER TABLE log ADD COLUMN cascade TEXT;

DROP TRIGGER IF EXISTS append_event_inserted;
DROP VIEW IF EXISTS append_event;

CREATE VIEW IF NOT EXISTS append_event AS
SELECT subscription_id, id, product_id, type, actor_user_id, actor_key, resource_key, created_at, person_id,
  request_id, data, previous, origin, hops, cascade
FROM log;

CREATE TRIGGER IF NOT EXISTS append_event_inserted INSTEAD OF INSERT ON append_event
BEGIN
  INSERT INTO log (
    place, subscription_id, product_id, type, actor_user_id, actor_key, resource_key, created_at, person_id,
    request_id, data, previous, origin, hops, cascade
  )
  VALUES (
    NEW.subscription_id << 32 | NEW.id, NEW.subscription_id, NEW.product_id, NEW.type, NEW.actor_user_id,
    NEW.actor_key, NEW.resource_key, NEW.created_at, NEW.person_id, NEW.request_id, NEW.data, NEW.previous,
    NEW.origin, NEW.hops, NEW.cascade
  );
END;
