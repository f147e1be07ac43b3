-- An event above 250 kB is shortened as before, and a list also to 2,500 members, so that no more of them are read. The
-- LIMIT of the shorter texts keeps SQLite from computing each of them again where it is used.

DROP TRIGGER IF EXISTS log_bounded;
CREATE TRIGGER IF NOT EXISTS log_inserted_long AFTER INSERT ON log
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
                        SELECT item, sum(length(item)) OVER (ROWS UNBOUNDED PRECEDING) AS upto
                        FROM (
                          SELECT iif(i.type IN ('object', 'array'), i.value, json_quote(i.value)) AS item
                          FROM json_each(m.value) i
                          LIMIT 2500
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
        LIMIT 3
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
                          SELECT item, sum(length(item)) OVER (ROWS UNBOUNDED PRECEDING) AS upto
                          FROM (
                            SELECT iif(i.type IN ('object', 'array'), i.value, json_quote(i.value)) AS item
                            FROM json_each(m.value) i
                            LIMIT 2500
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
          LIMIT 3
        )
        WHERE octet_length(shorter) < 249980
        LIMIT 1
      ),
      NEW.previous
    )
  WHERE place = NEW.place;
END;

DROP TRIGGER IF EXISTS log_told_again;
CREATE TRIGGER IF NOT EXISTS log_updated_long AFTER UPDATE OF data ON log
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
                        SELECT item, sum(length(item)) OVER (ROWS UNBOUNDED PRECEDING) AS upto
                        FROM (
                          SELECT iif(i.type IN ('object', 'array'), i.value, json_quote(i.value)) AS item
                          FROM json_each(m.value) i
                          LIMIT 2500
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
        LIMIT 3
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
                          SELECT item, sum(length(item)) OVER (ROWS UNBOUNDED PRECEDING) AS upto
                          FROM (
                            SELECT iif(i.type IN ('object', 'array'), i.value, json_quote(i.value)) AS item
                            FROM json_each(m.value) i
                            LIMIT 2500
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
          LIMIT 3
        )
        WHERE octet_length(shorter) < 249980
        LIMIT 1
      ),
      NEW.previous
    )
  WHERE place = NEW.place;
END;
