-- Sign-ins by mail. The key is a keyed hash of the address, because an address that signs in names no workspace yet.

CREATE TABLE IF NOT EXISTS sign_ins (
  address_hash TEXT NOT NULL,
  subscription_id INTEGER NOT NULL, -- workspace that sends the mail, 0 for no mail
  user_id INTEGER NOT NULL,
  nonce TEXT NOT NULL, -- the code and the link are computed from it with the signing secrets
  tries INTEGER NOT NULL DEFAULT 0,
  sent INTEGER NOT NULL DEFAULT 1, -- mails since sent_since
  sent_since INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER,
  PRIMARY KEY (address_hash)
) WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS sign_ins_nonce ON sign_ins (nonce);
CREATE INDEX IF NOT EXISTS sign_ins_workspace ON sign_ins (subscription_id);
CREATE INDEX IF NOT EXISTS sign_ins_expired ON sign_ins (expires_at);

CREATE INDEX IF NOT EXISTS users_sign_in ON users (email) WHERE role <> 'idm_member' AND deleted_at IS NULL;

-- Whatever changes a role (an import, or its undo) ends the sessions of the person.
CREATE TRIGGER IF NOT EXISTS users_new_role AFTER UPDATE OF role ON users
WHEN NEW.role <> OLD.role
BEGIN
  UPDATE api_keys SET revoked_at = NEW.updated_at
  WHERE subscription_id = NEW.subscription_id AND user_id = NEW.id AND kind = 'session' AND revoked_at IS NULL;
END;
