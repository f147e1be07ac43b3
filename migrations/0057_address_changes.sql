-- Links and codes prove the address that their mail went to. Whatever changes the address of a person (a modify, an import,
-- its undo, an erasure) ends the open sign-ins of the person, and the links of mails to the former address. The row of a
-- sign-in stays, because it counts the mails of the hour. Rows that a move copies keep their state.
ALTER TABLE users ADD COLUMN address_round INTEGER NOT NULL DEFAULT 0;

CREATE INDEX IF NOT EXISTS sign_ins_person ON sign_ins (subscription_id, user_id);
DROP INDEX IF EXISTS sign_ins_workspace;

CREATE TRIGGER IF NOT EXISTS users_new_address AFTER UPDATE OF email ON users
WHEN NEW.email <> OLD.email
  AND NOT EXISTS (SELECT 1 FROM workspace_moves WHERE workspace_id = NEW.subscription_id AND state = 'arriving')
BEGIN
  UPDATE users SET address_round = OLD.address_round + 1 WHERE id = NEW.id;
  UPDATE sign_ins SET used_at = NEW.updated_at
  WHERE subscription_id = NEW.subscription_id AND user_id = NEW.id AND used_at IS NULL;
END;
