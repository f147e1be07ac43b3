-- The event log. The rowid combines the workspace and the event id, so events of a workspace lie together in order.

CREATE TABLE IF NOT EXISTS log (
  place INTEGER PRIMARY KEY, -- subscription_id << 32 | id
  subscription_id INTEGER NOT NULL,
  id INTEGER NOT NULL GENERATED ALWAYS AS (place & 4294967295) VIRTUAL,
  product_id INTEGER,
  type TEXT NOT NULL,
  actor_user_id INTEGER,
  actor_key TEXT,
  resource_key TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  person_id INTEGER,
  request_id TEXT,
  data TEXT NOT NULL,
  previous TEXT,
  origin TEXT, -- via:id of the source of a write within the service
  hops INTEGER -- number of webhooks in the chain up to the write
);
CREATE INDEX IF NOT EXISTS log_resource ON log (subscription_id, resource_key);

-- data and previous hold at most 250 kB each. Longer texts and lists are cut to 20,000 characters, then to 2,000,
-- then to 200, and truncated is set.
CREATE TRIGGER IF NOT EXISTS log_bounded AFTER INSERT ON log
WHEN octet_length(NEW.data) > 250000 OR octet_length(NEW.previous) > 250000
BEGIN
  UPDATE log
  SET data = iif(
    octet_length(NEW.data) > 250000,
    (
      SELECT json_set(shorter, '$.truncated', json('true'))
      FROM (
        SELECT (
          SELECT json_group_object(key, json(member))
          FROM (
            SELECT m.key,
              iif(
                m.type = 'text',
                json_quote(iif(length(m.atom) > c.cap, substr(m.atom, 1, c.cap) || '…', m.atom)),
                iif(
                  m.type = 'array',
                  iif(
                    length(m.value) > c.cap,
                    (
                      SELECT json_group_array(json(item))
                      FROM (
                        SELECT item, sum(length(item)) OVER (ORDER BY place) AS upto
                        FROM (
                          SELECT i.key AS place,
                            iif(i.type IN ('object', 'array'), i.value, json_quote(i.value)) AS item
                          FROM json_each(m.value) i
                        )
                      )
                      WHERE upto <= c.cap
                    ),
                    m.value
                  ),
                  iif(
                    m.type = 'object', m.value,
                    iif(m.type = 'true', 'true', iif(m.type = 'false', 'false', json_quote(m.atom)))
                  )
                )
              ) AS member
            FROM json_each(NEW.data) m
          )
        ) AS shorter
        FROM (SELECT column1 AS cap FROM (VALUES (20000), (2000), (200))) c
      )
      WHERE octet_length(shorter) < 249980
      LIMIT 1
    ),
    NEW.data
  ),
    previous = iif(
      octet_length(NEW.previous) > 250000,
      (
        SELECT json_set(shorter, '$.truncated', json('true'))
        FROM (
          SELECT (
            SELECT json_group_object(key, json(member))
            FROM (
              SELECT m.key,
                iif(
                  m.type = 'text',
                  json_quote(iif(length(m.atom) > c.cap, substr(m.atom, 1, c.cap) || '…', m.atom)),
                  iif(
                    m.type = 'array',
                    iif(
                      length(m.value) > c.cap,
                      (
                        SELECT json_group_array(json(item))
                        FROM (
                          SELECT item, sum(length(item)) OVER (ORDER BY place) AS upto
                          FROM (
                            SELECT i.key AS place,
                              iif(i.type IN ('object', 'array'), i.value, json_quote(i.value)) AS item
                            FROM json_each(m.value) i
                          )
                        )
                        WHERE upto <= c.cap
                      ),
                      m.value
                    ),
                    iif(
                      m.type = 'object', m.value,
                      iif(m.type = 'true', 'true', iif(m.type = 'false', 'false', json_quote(m.atom)))
                    )
                  )
                ) AS member
              FROM json_each(NEW.previous) m
            )
          ) AS shorter
          FROM (SELECT column1 AS cap FROM (VALUES (20000), (2000), (200))) c
        )
        WHERE octet_length(shorter) < 249980
        LIMIT 1
      ),
      NEW.previous
    )
  WHERE place = NEW.place;
END;

CREATE TRIGGER IF NOT EXISTS log_told_again AFTER UPDATE OF data ON log
WHEN octet_length(NEW.data) > 250000 OR octet_length(NEW.previous) > 250000
BEGIN
  UPDATE log
  SET data = iif(
    octet_length(NEW.data) > 250000,
    (
      SELECT json_set(shorter, '$.truncated', json('true'))
      FROM (
        SELECT (
          SELECT json_group_object(key, json(member))
          FROM (
            SELECT m.key,
              iif(
                m.type = 'text',
                json_quote(iif(length(m.atom) > c.cap, substr(m.atom, 1, c.cap) || '…', m.atom)),
                iif(
                  m.type = 'array',
                  iif(
                    length(m.value) > c.cap,
                    (
                      SELECT json_group_array(json(item))
                      FROM (
                        SELECT item, sum(length(item)) OVER (ORDER BY place) AS upto
                        FROM (
                          SELECT i.key AS place,
                            iif(i.type IN ('object', 'array'), i.value, json_quote(i.value)) AS item
                          FROM json_each(m.value) i
                        )
                      )
                      WHERE upto <= c.cap
                    ),
                    m.value
                  ),
                  iif(
                    m.type = 'object', m.value,
                    iif(m.type = 'true', 'true', iif(m.type = 'false', 'false', json_quote(m.atom)))
                  )
                )
              ) AS member
            FROM json_each(NEW.data) m
          )
        ) AS shorter
        FROM (SELECT column1 AS cap FROM (VALUES (20000), (2000), (200))) c
      )
      WHERE octet_length(shorter) < 249980
      LIMIT 1
    ),
    NEW.data
  ),
    previous = iif(
      octet_length(NEW.previous) > 250000,
      (
        SELECT json_set(shorter, '$.truncated', json('true'))
        FROM (
          SELECT (
            SELECT json_group_object(key, json(member))
            FROM (
              SELECT m.key,
                iif(
                  m.type = 'text',
                  json_quote(iif(length(m.atom) > c.cap, substr(m.atom, 1, c.cap) || '…', m.atom)),
                  iif(
                    m.type = 'array',
                    iif(
                      length(m.value) > c.cap,
                      (
                        SELECT json_group_array(json(item))
                        FROM (
                          SELECT item, sum(length(item)) OVER (ORDER BY place) AS upto
                          FROM (
                            SELECT i.key AS place,
                              iif(i.type IN ('object', 'array'), i.value, json_quote(i.value)) AS item
                            FROM json_each(m.value) i
                          )
                        )
                        WHERE upto <= c.cap
                      ),
                      m.value
                    ),
                    iif(
                      m.type = 'object', m.value,
                      iif(m.type = 'true', 'true', iif(m.type = 'false', 'false', json_quote(m.atom)))
                    )
                  )
                ) AS member
              FROM json_each(NEW.previous) m
            )
          ) AS shorter
          FROM (SELECT column1 AS cap FROM (VALUES (20000), (2000), (200))) c
        )
        WHERE octet_length(shorter) < 249980
        LIMIT 1
      ),
      NEW.previous
    )
  WHERE place = NEW.place;
END;

-- Inserting through the view leaves last_insert_rowid() alone, by which a batch names its new record.
CREATE VIEW IF NOT EXISTS append_event AS
SELECT subscription_id, id, product_id, type, actor_user_id, actor_key, resource_key, created_at, person_id,
  request_id, data, previous, origin, hops
FROM log;

CREATE TRIGGER IF NOT EXISTS append_event_inserted INSTEAD OF INSERT ON append_event
BEGIN
  INSERT INTO log (
    place, subscription_id, product_id, type, actor_user_id, actor_key, resource_key, created_at, person_id,
    request_id, data, previous, origin, hops
  )
  VALUES (
    NEW.subscription_id << 32 | NEW.id, NEW.subscription_id, NEW.product_id, NEW.type, NEW.actor_user_id,
    NEW.actor_key, NEW.resource_key, NEW.created_at, NEW.person_id, NEW.request_id, NEW.data, NEW.previous,
    NEW.origin, NEW.hops
  );
END;

-- The next check of each workspace for events that move to the archive.
CREATE TABLE IF NOT EXISTS log_keeping (
  subscription_id INTEGER NOT NULL,
  next_look_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS log_keeping_due ON log_keeping (next_look_at);
