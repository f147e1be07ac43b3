-- The words of records, for lists and search. `scope` holds s<workspace>k<kind>; the row id is that of the record times sixteen, plus the kind.
CREATE VIRTUAL TABLE search USING fts5 (scope, title, body, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');

CREATE TRIGGER teams_search_insert AFTER INSERT ON teams BEGIN INSERT INTO search (rowid, scope, title, body) VALUES (NEW.id * 16 + 1, 's' || NEW.subscription_id || 'k1', NEW.name, ''); END;
CREATE TRIGGER teams_search_update AFTER UPDATE OF name ON teams BEGIN DELETE FROM search WHERE rowid = OLD.id * 16 + 1; INSERT INTO search (rowid, scope, title, body) VALUES (NEW.id * 16 + 1, 's' || NEW.subscription_id || 'k1', NEW.name, ''); END;
CREATE TRIGGER teams_search_delete AFTER DELETE ON teams BEGIN DELETE FROM search WHERE rowid = OLD.id * 16 + 1; END;

-- For the keys that are limited to products.
CREATE INDEX personas_product ON personas (subscription_id, product_id, created_at, id) WHERE deleted_at IS NULL;
