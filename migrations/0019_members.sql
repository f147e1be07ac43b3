-- The segments of a person.
CREATE INDEX segment_members_user ON segment_members (subscription_id, user_id, segment_id);

-- The words of people, kind 2 in the search index.
INSERT INTO search (rowid, scope, title, body) SELECT id * 16 + 2, 's' || subscription_id || 'k2', first_name || ' ' || last_name, email FROM users;
CREATE TRIGGER users_search_insert AFTER INSERT ON users BEGIN INSERT INTO search (rowid, scope, title, body) VALUES (NEW.id * 16 + 2, 's' || NEW.subscription_id || 'k2', NEW.first_name || ' ' || NEW.last_name, NEW.email); END;
CREATE TRIGGER users_search_update AFTER UPDATE OF first_name, last_name, email ON users WHEN OLD.first_name <> NEW.first_name OR OLD.last_name <> NEW.last_name OR OLD.email <> NEW.email BEGIN DELETE FROM search WHERE rowid = OLD.id * 16 + 2; INSERT INTO search (rowid, scope, title, body) VALUES (NEW.id * 16 + 2, 's' || NEW.subscription_id || 'k2', NEW.first_name || ' ' || NEW.last_name, NEW.email); END;
CREATE TRIGGER users_search_delete AFTER DELETE ON users BEGIN DELETE FROM search WHERE rowid = OLD.id * 16 + 2; END;

-- As 0013: attributes take 20 kB at most, so that no page need count their bytes.
CREATE INDEX users_heavy ON users (subscription_id) WHERE octet_length(attributes) > 40000;
