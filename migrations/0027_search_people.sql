-- The words of people in an index of their own: many of them come at once, which is most of what adding them costs. Beginnings
-- are kept of two characters, and parts of the index are brought together sixteen at a time instead of four.
CREATE VIRTUAL TABLE search_people USING fts5 (scope, title, body, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '2');
INSERT INTO search_people (search_people, rank) VALUES ('automerge', 16);
INSERT INTO search_people (search_people, rank) VALUES ('crisismerge', 64);
INSERT INTO search_people (rowid, scope, title, body) SELECT id * 16 + 2, 's' || subscription_id || 'k2', first_name || ' ' || last_name, email FROM users;
DROP TRIGGER users_search_insert;
DROP TRIGGER users_search_update;
DROP TRIGGER users_search_delete;
DELETE FROM search WHERE rowid IN (SELECT id * 16 + 2 FROM users);
CREATE TRIGGER users_search_insert AFTER INSERT ON users BEGIN INSERT INTO search_people (rowid, scope, title, body) VALUES (NEW.id * 16 + 2, 's' || NEW.subscription_id || 'k2', NEW.first_name || ' ' || NEW.last_name, NEW.email); END;
CREATE TRIGGER users_search_update AFTER UPDATE OF first_name, last_name, email ON users WHEN OLD.first_name <> NEW.first_name OR OLD.last_name <> NEW.last_name OR OLD.email <> NEW.email BEGIN DELETE FROM search_people WHERE rowid = OLD.id * 16 + 2; INSERT INTO search_people (rowid, scope, title, body) VALUES (NEW.id * 16 + 2, 's' || NEW.subscription_id || 'k2', NEW.first_name || ' ' || NEW.last_name, NEW.email); END;
CREATE TRIGGER users_search_delete AFTER DELETE ON users BEGIN DELETE FROM search_people WHERE rowid = OLD.id * 16 + 2; END;
