-- Search folds letters as their readers do, finds words inside texts without spaces, and finds C++, C#, .NET and emoji.
-- The words of a record go through search_entries, search_joined and search_folded, whose triggers write the index: one text is
-- folded per record, because a statement takes time for each expression of its triggers. src/text/folding.ts folds a query
-- alike, and a test compares both. 256 characters at a time keep a long text linear. Private characters stand for signs that the
-- tokenizer drops: U+E02B, U+E023 and U+E02E for + # and a dot before a word, and 983040 more than a symbol.

CREATE VIEW IF NOT EXISTS search_entries AS
SELECT 0 AS id, '' AS scope, '' AS title, '' AS body
WHERE 0;

CREATE VIEW IF NOT EXISTS search_joined AS
SELECT 0 AS id, '' AS scope, '' AS words
WHERE 0;

CREATE VIEW IF NOT EXISTS search_folded AS
SELECT 0 AS id, '' AS scope, '' AS words
WHERE 0;

-- The folded title of an idea, for ideas that are alike.
CREATE VIEW IF NOT EXISTS feedback_item_words AS
SELECT
  feedback_items.*,
  replace(replace(replace(replace(replace(' ' || iif(
    title NOT GLOB '*[^' || char(1) || '-~]*', title,
    (
      WITH RECURSIVE
        blocks(n, part) AS (
          SELECT 1, substr(title, 1, 256)
          UNION ALL
          SELECT n + 256, substr(title, n + 256, 256) FROM blocks WHERE n + 256 <= length(title)
        ),
        spaced(t) AS (
          SELECT iif(
            title NOT GLOB '*[©®±฀-᷿‼⁉₠-￿𐀀-􏿿]*', title,
            (
              SELECT group_concat(
                iif(
                  part NOT GLOB '*[©®±฀-᷿‼⁉₠-￿𐀀-􏿿]*', part,
                  (
                    WITH RECURSIVE places(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM places WHERE i < length(part))
                    SELECT group_concat(
                      iif(
                        u < 169, c,
                        iif(
                          c GLOB '[©®±‼⁉₠-⃀№℗℠™ℹ㊗㊙]'
                          OR c GLOB '[←-⏿Ⓐ-ⓩ─-➿⤀-⥿⬀-⯿〰〽]'
                          OR c GLOB '[🀀-🫿]',
                          ' ' || char(u + 983040) || ' ',
                          iif(
                            u BETWEEN 65281 AND 65374, char(u - 65248),
                            iif(
                              c GLOB '[฀-࿿က-႟ᄀ-ᇿក-៿ᥐ-᧟ᨠ-᪯]'
                              OR c GLOB '[ᬀ-᭿⺀-⿟々-〇〡-〩〱-〵ぁ-ㆿ]'
                              OR c GLOB '[ㇰ-ㇿ㐀-䶿一-꓏ꥠ-꧟ꧠ-꧿ꩠ-ꩿ]'
                              OR c GLOB '[가-퟿豈-﫿ｦ-ￜ𠀀-𿿿]',
                              ' ' || c || ' ', c
                            )
                          )
                        )
                      ),
                      ''
                    )
                    FROM (SELECT substr(part, i, 1) AS c, unicode(substr(part, i, 1)) AS u FROM places)
                  )
                ),
                ''
              )
              FROM blocks
            )
          )
        ),
        folded(n, t) AS (
          SELECT 1, t FROM spaced
          UNION ALL
          SELECT
            n + 1,
            replace(
              t,
              substr(
                'ßẞæÆǽǼœŒøØǿǾđĐðÐþÞłŁħĦıŋŊŧŦƒĳĲəƏﬁﬂάΆέΈήΉίΊϊΪΐόΌύΎϋΫΰώΏςёЁйЙїЇўЎґҐأإآٱىیکة'
                || char(1600, 1611, 1612, 1613, 1614, 1615, 1616, 1617, 1618, 1648, 1456, 1457, 1458, 1459, 1460, 1461, 1462, 1463, 1464, 1465, 1467, 1468, 1473, 1474),
                n, 1
              ),
              trim(substr('ssssaeaeaeaeoeoeo o o o d d d d ththl l h h i n n t t f ijije e fiflα α ε ε η η ι ι ι ι ι ο ο υ υ υ υ υ ω ω σ е е и и і і у у г г ا ا ا ا ي ي ك ه ', n * 2 - 1, 2))
            )
          FROM folded WHERE n <= 97
        )
      SELECT t FROM folded WHERE n = 98
    )
  ),
  '+', ' ' || char(57387) || ' '), '#', ' ' || char(57379) || ' '), ' .', ' ' || char(57390) || ' '), '(.', ' ' || char(57390) || ' '),
  '".', ' ' || char(57390) || ' ') AS words
FROM feedback_items;

CREATE VIEW IF NOT EXISTS work_items_search_texts AS
SELECT
  work_items.id AS row_id,
  work_items.id * 16 + 5 AS id,
  's' || work_items.subscription_id || 'k5 p' || work_items.product_id || work_items.type AS scope,
  work_items.summary AS title,
  work_items.external_key || ' ' || work_items.jira_key || ' ' || work_items.tags || ' ' || iif(
      work_items.description = '', '',
      (
        SELECT group_concat(substr(value, instr(value, '>') + 1), ' ')
        FROM json_each(
          '[' || replace(json_quote(substr(work_items.description, 1, 20000)), '<', '","') || ']'
        )
      )
    ) AS body
FROM work_items;

CREATE VIEW IF NOT EXISTS users_search_texts AS
SELECT
  users.id AS row_id,
  users.id * 16 + 2 AS id,
  's' || users.subscription_id || 'k2' AS scope,
  users.first_name || ' ' || users.last_name AS title,
  users.email AS body
FROM users;

CREATE VIEW IF NOT EXISTS teams_search_texts AS
SELECT
  teams.id AS row_id,
  teams.id * 16 + 1 AS id,
  's' || teams.subscription_id || 'k1' AS scope,
  teams.name AS title,
  '' AS body
FROM teams;

CREATE VIEW IF NOT EXISTS feedback_items_search_texts AS
SELECT
  feedback_items.id AS row_id,
  feedback_items.id * 16 + 3 AS id,
  's' || feedback_items.subscription_id || 'k3 p' || feedback_items.product_id || 'k3' AS scope,
  feedback_items.title AS title,
  feedback_items.external_key || ' ' || feedback_items.target_audience || ' ' || feedback_items.value_proposition || ' ' || iif(
      feedback_items.long_description = '', '',
      (
        SELECT group_concat(substr(value, instr(value, '>') + 1), ' ')
        FROM json_each(
          '[' || replace(json_quote(substr(feedback_items.long_description, 1, 20000)), '<', '","') || ']'
        )
      )
    ) AS body
FROM feedback_items;

CREATE VIEW IF NOT EXISTS kpis_search_texts AS
SELECT
  kpis.id AS row_id,
  kpis.id * 16 + 6 AS id,
  's' || kpis.subscription_id || 'k6 p' || kpis.product_id || 'k6' AS scope,
  kpis.title AS title,
  kpis.external_key || ' ' || coalesce(substr(kpis.statement, 1, 20000), '') AS body
FROM kpis;

CREATE VIEW IF NOT EXISTS personas_search_texts AS
SELECT
  personas.id AS row_id,
  personas.id * 16 + 4 AS id,
  's' || personas.subscription_id || 'k4 ' || iif(
      personas.product_id IS NULL, 's' || personas.subscription_id || 'k4n', 'p' || personas.product_id || 'k4'
    ) AS scope,
  personas.name AS title,
  personas.external_key || ' ' || coalesce(personas.occupation, '') || ' ' || coalesce(personas.quote, '') || ' ' || iif(
      coalesce(personas.description, '') = '',
      '',
      (
        SELECT group_concat(substr(value, instr(value, '>') + 1), ' ')
        FROM json_each(
          '[' || replace(json_quote(substr(personas.description, 1, 20000)), '<', '","') || ']'
        )
      )
    ) || ' ' || substr(personas.goals, 1, 20000) || ' ' || substr(personas.pains, 1, 20000) AS body
FROM personas;

CREATE VIEW IF NOT EXISTS documents_search_texts AS
SELECT
  documents.id AS row_id,
  documents.id * 16 + 7 AS id,
  's' || documents.subscription_id || 'k7 p' || documents.product_id || 'k7' AS scope,
  documents.title AS title,
  documents.external_key || ' ' || iif(
      documents.content = '', '',
      (
        SELECT group_concat(substr(value, instr(value, '>') + 1), ' ')
        FROM json_each('[' || replace(json_quote(substr(documents.content, 1, 20000)), '<', '","') || ']')
      )
    ) AS body
FROM documents;

CREATE VIEW IF NOT EXISTS changelog_entries_search_texts AS
SELECT
  changelog_entries.id AS row_id,
  changelog_entries.id * 16 + 8 AS id,
  's' || changelog_entries.subscription_id || 'k8 ' || iif(
      changelog_entries.product_id IS NULL, 's' || changelog_entries.subscription_id || 'k8n', 'p' || changelog_entries.product_id || 'k8'
    ) AS scope,
  changelog_entries.title AS title,
  changelog_entries.external_key || ' ' || changelog_entries.labels || ' ' || iif(
      changelog_entries.content = '', '',
      (
        SELECT group_concat(substr(value, instr(value, '>') + 1), ' ')
        FROM json_each('[' || replace(json_quote(substr(changelog_entries.content, 1, 20000)), '<', '","') || ']')
      )
    ) AS body
FROM changelog_entries;

DROP TRIGGER IF EXISTS search_entries_joined;
CREATE TRIGGER search_entries_joined INSTEAD OF INSERT ON search_entries
BEGIN
  INSERT INTO search_joined (id, scope, words)
  VALUES (NEW.id, NEW.scope, NEW.title || char(31) || NEW.body);
END;

DROP TRIGGER IF EXISTS search_joined_folded;
CREATE TRIGGER search_joined_folded INSTEAD OF INSERT ON search_joined
BEGIN
  INSERT INTO search_folded (id, scope, words)
  VALUES (
    NEW.id, NEW.scope,
    replace(replace(replace(replace(replace(' ' || iif(
      NEW.words NOT GLOB '*[^' || char(1) || '-~]*', NEW.words,
      (
        WITH RECURSIVE
          blocks(n, part) AS (
            SELECT 1, substr(NEW.words, 1, 256)
            UNION ALL
            SELECT n + 256, substr(NEW.words, n + 256, 256) FROM blocks WHERE n + 256 <= length(NEW.words)
          ),
          spaced(t) AS (
            SELECT iif(
              NEW.words NOT GLOB '*[©®±฀-᷿‼⁉₠-￿𐀀-􏿿]*', NEW.words,
              (
                SELECT group_concat(
                  iif(
                    part NOT GLOB '*[©®±฀-᷿‼⁉₠-￿𐀀-􏿿]*', part,
                    (
                      WITH RECURSIVE places(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM places WHERE i < length(part))
                      SELECT group_concat(
                        iif(
                          u < 169, c,
                          iif(
                            c GLOB '[©®±‼⁉₠-⃀№℗℠™ℹ㊗㊙]'
                            OR c GLOB '[←-⏿Ⓐ-ⓩ─-➿⤀-⥿⬀-⯿〰〽]'
                            OR c GLOB '[🀀-🫿]',
                            ' ' || char(u + 983040) || ' ',
                            iif(
                              u BETWEEN 65281 AND 65374, char(u - 65248),
                              iif(
                                c GLOB '[฀-࿿က-႟ᄀ-ᇿក-៿ᥐ-᧟ᨠ-᪯]'
                                OR c GLOB '[ᬀ-᭿⺀-⿟々-〇〡-〩〱-〵ぁ-ㆿ]'
                                OR c GLOB '[ㇰ-ㇿ㐀-䶿一-꓏ꥠ-꧟ꧠ-꧿ꩠ-ꩿ]'
                                OR c GLOB '[가-퟿豈-﫿ｦ-ￜ𠀀-𿿿]',
                                ' ' || c || ' ', c
                              )
                            )
                          )
                        ),
                        ''
                      )
                      FROM (SELECT substr(part, i, 1) AS c, unicode(substr(part, i, 1)) AS u FROM places)
                    )
                  ),
                  ''
                )
                FROM blocks
              )
            )
          ),
          folded(n, t) AS (
            SELECT 1, t FROM spaced
            UNION ALL
            SELECT
              n + 1,
              replace(
                t,
                substr(
                  'ßẞæÆǽǼœŒøØǿǾđĐðÐþÞłŁħĦıŋŊŧŦƒĳĲəƏﬁﬂάΆέΈήΉίΊϊΪΐόΌύΎϋΫΰώΏςёЁйЙїЇўЎґҐأإآٱىیکة'
                  || char(1600, 1611, 1612, 1613, 1614, 1615, 1616, 1617, 1618, 1648, 1456, 1457, 1458, 1459, 1460, 1461, 1462, 1463, 1464, 1465, 1467, 1468, 1473, 1474),
                  n, 1
                ),
                trim(substr('ssssaeaeaeaeoeoeo o o o d d d d ththl l h h i n n t t f ijije e fiflα α ε ε η η ι ι ι ι ι ο ο υ υ υ υ υ ω ω σ е е и и і і у у г г ا ا ا ا ي ي ك ه ', n * 2 - 1, 2))
              )
            FROM folded WHERE n <= 97
          )
        SELECT t FROM folded WHERE n = 98
      )
    ),
    '+', ' ' || char(57387) || ' '), '#', ' ' || char(57379) || ' '), ' .', ' ' || char(57390) || ' '), '(.', ' ' || char(57390) || ' '),
    '".', ' ' || char(57390) || ' ')
  );
END;

DROP TRIGGER IF EXISTS search_folded_written;
CREATE TRIGGER search_folded_written INSTEAD OF INSERT ON search_folded
WHEN NEW.id % 16 <> 2
BEGIN
  INSERT INTO search (rowid, scope, title, body)
  VALUES (
    NEW.id, NEW.scope, substr(NEW.words, 1, instr(NEW.words, char(31)) - 1),
    substr(NEW.words, instr(NEW.words, char(31)) + 1)
  );
END;

-- Kind 2 is a person.
DROP TRIGGER IF EXISTS search_folded_people;
CREATE TRIGGER search_folded_people INSTEAD OF INSERT ON search_folded
WHEN NEW.id % 16 = 2
BEGIN
  INSERT INTO search_people (rowid, scope, title, body)
  VALUES (
    NEW.id, NEW.scope, substr(NEW.words, 1, instr(NEW.words, char(31)) - 1),
    substr(NEW.words, instr(NEW.words, char(31)) + 1)
  );
END;

DROP TRIGGER IF EXISTS work_items_search_insert;
CREATE TRIGGER work_items_search_insert AFTER INSERT ON work_items
BEGIN
  INSERT INTO search_entries (id, scope, title, body)
  VALUES (
    NEW.id * 16 + 5, 's' || NEW.subscription_id || 'k5 p' || NEW.product_id || NEW.type, NEW.summary,
    NEW.external_key || ' ' || NEW.jira_key || ' ' || NEW.tags || ' ' || iif(
      NEW.description = '', '',
      (
        SELECT group_concat(substr(value, instr(value, '>') + 1), ' ')
        FROM json_each(
          '[' || replace(json_quote(substr(NEW.description, 1, 20000)), '<', '","') || ']'
        )
      )
    )
  );
END;

DROP TRIGGER IF EXISTS work_items_search_update;
CREATE TRIGGER work_items_search_update
AFTER UPDATE OF summary, description, tags, jira_key, external_key, type ON work_items
WHEN OLD.summary <> NEW.summary
  OR OLD.description <> NEW.description
  OR OLD.tags <> NEW.tags
  OR OLD.jira_key <> NEW.jira_key
  OR OLD.external_key <> NEW.external_key
  OR OLD.type <> NEW.type
BEGIN
  DELETE FROM search WHERE rowid = OLD.id * 16 + 5;
  INSERT INTO search_entries (id, scope, title, body)
  VALUES (
    NEW.id * 16 + 5, 's' || NEW.subscription_id || 'k5 p' || NEW.product_id || NEW.type, NEW.summary,
    NEW.external_key || ' ' || NEW.jira_key || ' ' || NEW.tags || ' ' || iif(
      NEW.description = '', '',
      (
        SELECT group_concat(substr(value, instr(value, '>') + 1), ' ')
        FROM json_each(
          '[' || replace(json_quote(substr(NEW.description, 1, 20000)), '<', '","') || ']'
        )
      )
    )
  );
END;

DROP TRIGGER IF EXISTS users_search_insert;
CREATE TRIGGER users_search_insert AFTER INSERT ON users
BEGIN
  INSERT INTO search_entries (id, scope, title, body)
  VALUES (
    NEW.id * 16 + 2, 's' || NEW.subscription_id || 'k2', NEW.first_name || ' ' || NEW.last_name, NEW.email
  );
END;

DROP TRIGGER IF EXISTS users_search_update;
CREATE TRIGGER users_search_update AFTER UPDATE OF first_name, last_name, email ON users
WHEN OLD.first_name <> NEW.first_name OR OLD.last_name <> NEW.last_name OR OLD.email <> NEW.email
BEGIN
  DELETE FROM search_people WHERE rowid = OLD.id * 16 + 2;
  INSERT INTO search_entries (id, scope, title, body)
  VALUES (
    NEW.id * 16 + 2, 's' || NEW.subscription_id || 'k2', NEW.first_name || ' ' || NEW.last_name, NEW.email
  );
END;

DROP TRIGGER IF EXISTS teams_search_insert;
CREATE TRIGGER teams_search_insert AFTER INSERT ON teams
BEGIN
  INSERT INTO search_entries (id, scope, title, body)
  VALUES (NEW.id * 16 + 1, 's' || NEW.subscription_id || 'k1', NEW.name, '');
END;

DROP TRIGGER IF EXISTS teams_search_update;
CREATE TRIGGER teams_search_update AFTER UPDATE OF name ON teams
BEGIN
  DELETE FROM search WHERE rowid = OLD.id * 16 + 1;
  INSERT INTO search_entries (id, scope, title, body)
  VALUES (NEW.id * 16 + 1, 's' || NEW.subscription_id || 'k1', NEW.name, '');
END;

DROP TRIGGER IF EXISTS feedback_items_search_insert;
CREATE TRIGGER feedback_items_search_insert AFTER INSERT ON feedback_items
BEGIN
  INSERT INTO search_entries (id, scope, title, body)
  VALUES (
    NEW.id * 16 + 3, 's' || NEW.subscription_id || 'k3 p' || NEW.product_id || 'k3', NEW.title,
    NEW.external_key || ' ' || NEW.target_audience || ' ' || NEW.value_proposition || ' ' || iif(
      NEW.long_description = '', '',
      (
        SELECT group_concat(substr(value, instr(value, '>') + 1), ' ')
        FROM json_each(
          '[' || replace(json_quote(substr(NEW.long_description, 1, 20000)), '<', '","') || ']'
        )
      )
    )
  );
END;

DROP TRIGGER IF EXISTS feedback_items_search_update;
CREATE TRIGGER feedback_items_search_update
AFTER UPDATE OF title, target_audience, value_proposition, long_description ON feedback_items
WHEN OLD.title IS NOT NEW.title
  OR OLD.target_audience IS NOT NEW.target_audience
  OR OLD.value_proposition IS NOT NEW.value_proposition
  OR OLD.long_description IS NOT NEW.long_description
BEGIN
  DELETE FROM search WHERE rowid = OLD.id * 16 + 3;
  INSERT INTO search_entries (id, scope, title, body)
  VALUES (
    NEW.id * 16 + 3, 's' || NEW.subscription_id || 'k3 p' || NEW.product_id || 'k3', NEW.title,
    NEW.external_key || ' ' || NEW.target_audience || ' ' || NEW.value_proposition || ' ' || iif(
      NEW.long_description = '', '',
      (
        SELECT group_concat(substr(value, instr(value, '>') + 1), ' ')
        FROM json_each(
          '[' || replace(json_quote(substr(NEW.long_description, 1, 20000)), '<', '","') || ']'
        )
      )
    )
  );
END;

DROP TRIGGER IF EXISTS kpis_search_insert;
CREATE TRIGGER kpis_search_insert AFTER INSERT ON kpis
BEGIN
  INSERT INTO search_entries (id, scope, title, body)
  VALUES (
    NEW.id * 16 + 6, 's' || NEW.subscription_id || 'k6 p' || NEW.product_id || 'k6', NEW.title,
    NEW.external_key || ' ' || coalesce(substr(NEW.statement, 1, 20000), '')
  );
END;

DROP TRIGGER IF EXISTS kpis_search_update;
CREATE TRIGGER kpis_search_update AFTER UPDATE OF title, statement ON kpis
WHEN OLD.title IS NOT NEW.title OR OLD.statement IS NOT NEW.statement
BEGIN
  DELETE FROM search WHERE rowid = OLD.id * 16 + 6;
  INSERT INTO search_entries (id, scope, title, body)
  VALUES (
    NEW.id * 16 + 6, 's' || NEW.subscription_id || 'k6 p' || NEW.product_id || 'k6', NEW.title,
    NEW.external_key || ' ' || coalesce(substr(NEW.statement, 1, 20000), '')
  );
END;

DROP TRIGGER IF EXISTS personas_search_insert;
CREATE TRIGGER personas_search_insert AFTER INSERT ON personas
BEGIN
  INSERT INTO search_entries (id, scope, title, body)
  VALUES (
    NEW.id * 16 + 4,
    's' || NEW.subscription_id || 'k4 ' || iif(
      NEW.product_id IS NULL, 's' || NEW.subscription_id || 'k4n', 'p' || NEW.product_id || 'k4'
    ),
    NEW.name,
    NEW.external_key || ' ' || coalesce(NEW.occupation, '') || ' ' || coalesce(NEW.quote, '') || ' ' || iif(
      coalesce(NEW.description, '') = '',
      '',
      (
        SELECT group_concat(substr(value, instr(value, '>') + 1), ' ')
        FROM json_each(
          '[' || replace(json_quote(substr(NEW.description, 1, 20000)), '<', '","') || ']'
        )
      )
    ) || ' ' || substr(NEW.goals, 1, 20000) || ' ' || substr(NEW.pains, 1, 20000)
  );
END;

DROP TRIGGER IF EXISTS personas_search_update;
CREATE TRIGGER personas_search_update
AFTER UPDATE OF name, occupation, quote, description, goals, pains, product_id ON personas
WHEN OLD.name IS NOT NEW.name
  OR OLD.occupation IS NOT NEW.occupation
  OR OLD.quote IS NOT NEW.quote
  OR OLD.description IS NOT NEW.description
  OR OLD.goals IS NOT NEW.goals
  OR OLD.pains IS NOT NEW.pains
  OR OLD.product_id IS NOT NEW.product_id
BEGIN
  DELETE FROM search WHERE rowid = OLD.id * 16 + 4;
  INSERT INTO search_entries (id, scope, title, body)
  VALUES (
    NEW.id * 16 + 4,
    's' || NEW.subscription_id || 'k4 ' || iif(
      NEW.product_id IS NULL, 's' || NEW.subscription_id || 'k4n', 'p' || NEW.product_id || 'k4'
    ),
    NEW.name,
    NEW.external_key || ' ' || coalesce(NEW.occupation, '') || ' ' || coalesce(NEW.quote, '') || ' ' || iif(
      coalesce(NEW.description, '') = '',
      '',
      (
        SELECT group_concat(substr(value, instr(value, '>') + 1), ' ')
        FROM json_each(
          '[' || replace(json_quote(substr(NEW.description, 1, 20000)), '<', '","') || ']'
        )
      )
    ) || ' ' || substr(NEW.goals, 1, 20000) || ' ' || substr(NEW.pains, 1, 20000)
  );
END;

DROP TRIGGER IF EXISTS documents_search_insert;
CREATE TRIGGER documents_search_insert AFTER INSERT ON documents
BEGIN
  INSERT INTO search_entries (id, scope, title, body)
  VALUES (
    NEW.id * 16 + 7, 's' || NEW.subscription_id || 'k7 p' || NEW.product_id || 'k7', NEW.title,
    NEW.external_key || ' ' || iif(
      NEW.content = '', '',
      (
        SELECT group_concat(substr(value, instr(value, '>') + 1), ' ')
        FROM json_each('[' || replace(json_quote(substr(NEW.content, 1, 20000)), '<', '","') || ']')
      )
    )
  );
END;

DROP TRIGGER IF EXISTS documents_search_update;
CREATE TRIGGER documents_search_update AFTER UPDATE OF title, content ON documents
WHEN OLD.title IS NOT NEW.title OR OLD.content IS NOT NEW.content
BEGIN
  DELETE FROM search WHERE rowid = OLD.id * 16 + 7;
  INSERT INTO search_entries (id, scope, title, body)
  VALUES (
    NEW.id * 16 + 7, 's' || NEW.subscription_id || 'k7 p' || NEW.product_id || 'k7', NEW.title,
    NEW.external_key || ' ' || iif(
      NEW.content = '', '',
      (
        SELECT group_concat(substr(value, instr(value, '>') + 1), ' ')
        FROM json_each('[' || replace(json_quote(substr(NEW.content, 1, 20000)), '<', '","') || ']')
      )
    )
  );
END;

DROP TRIGGER IF EXISTS changelog_entries_search_insert;
CREATE TRIGGER changelog_entries_search_insert AFTER INSERT ON changelog_entries
BEGIN
  INSERT INTO search_entries (id, scope, title, body)
  VALUES (
    NEW.id * 16 + 8,
    's' || NEW.subscription_id || 'k8 ' || iif(
      NEW.product_id IS NULL, 's' || NEW.subscription_id || 'k8n', 'p' || NEW.product_id || 'k8'
    ),
    NEW.title,
    NEW.external_key || ' ' || NEW.labels || ' ' || iif(
      NEW.content = '', '',
      (
        SELECT group_concat(substr(value, instr(value, '>') + 1), ' ')
        FROM json_each('[' || replace(json_quote(substr(NEW.content, 1, 20000)), '<', '","') || ']')
      )
    )
  );
END;

DROP TRIGGER IF EXISTS changelog_entries_search_update;
CREATE TRIGGER changelog_entries_search_update
AFTER UPDATE OF title, content, labels, product_id ON changelog_entries
WHEN OLD.title IS NOT NEW.title
  OR OLD.content IS NOT NEW.content
  OR OLD.labels IS NOT NEW.labels
  OR OLD.product_id IS NOT NEW.product_id
BEGIN
  DELETE FROM search WHERE rowid = OLD.id * 16 + 8;
  INSERT INTO search_entries (id, scope, title, body)
  VALUES (
    NEW.id * 16 + 8,
    's' || NEW.subscription_id || 'k8 ' || iif(
      NEW.product_id IS NULL, 's' || NEW.subscription_id || 'k8n', 'p' || NEW.product_id || 'k8'
    ),
    NEW.title,
    NEW.external_key || ' ' || NEW.labels || ' ' || iif(
      NEW.content = '', '',
      (
        SELECT group_concat(substr(value, instr(value, '>') + 1), ' ')
        FROM json_each('[' || replace(json_quote(substr(NEW.content, 1, 20000)), '<', '","') || ']')
      )
    )
  );
END;

-- A new database has nothing to index again.
INSERT INTO fills (name, position)
SELECT 'search_words_of_work_items', 9007199254740991
WHERE NOT EXISTS (SELECT 1 FROM work_items)
ON CONFLICT DO NOTHING;
INSERT INTO fills (name, position)
SELECT 'search_words_of_users', 9007199254740991
WHERE NOT EXISTS (SELECT 1 FROM users)
ON CONFLICT DO NOTHING;
INSERT INTO fills (name, position)
SELECT 'search_words_of_teams', 9007199254740991
WHERE NOT EXISTS (SELECT 1 FROM teams)
ON CONFLICT DO NOTHING;
INSERT INTO fills (name, position)
SELECT 'search_words_of_feedback_items', 9007199254740991
WHERE NOT EXISTS (SELECT 1 FROM feedback_items)
ON CONFLICT DO NOTHING;
INSERT INTO fills (name, position)
SELECT 'search_words_of_kpis', 9007199254740991
WHERE NOT EXISTS (SELECT 1 FROM kpis)
ON CONFLICT DO NOTHING;
INSERT INTO fills (name, position)
SELECT 'search_words_of_personas', 9007199254740991
WHERE NOT EXISTS (SELECT 1 FROM personas)
ON CONFLICT DO NOTHING;
INSERT INTO fills (name, position)
SELECT 'search_words_of_documents', 9007199254740991
WHERE NOT EXISTS (SELECT 1 FROM documents)
ON CONFLICT DO NOTHING;
INSERT INTO fills (name, position)
SELECT 'search_words_of_changelog_entries', 9007199254740991
WHERE NOT EXISTS (SELECT 1 FROM changelog_entries)
ON CONFLICT DO NOTHING;
