-- The invitation of a member. A link names its round: one that was taken back stays so when the member is invited anew.
CREATE TABLE invitations (
  subscription_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'accepted', 'canceled')), -- pending beyond expires_at is expired
  round INTEGER NOT NULL DEFAULT 1,
  sent_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  resend_count INTEGER NOT NULL DEFAULT 0,
  mailing TEXT NOT NULL, -- random name of the mailing that carries it
  PRIMARY KEY (subscription_id, user_id)
) WITHOUT ROWID;
CREATE INDEX invitations_mailing ON invitations (subscription_id, mailing, user_id);
-- Those that may be sent again, the one that was sent longest ago first.
CREATE INDEX invitations_pending ON invitations (subscription_id, sent_at, user_id) WHERE status = 'pending';

-- Where the links of invitations lead that an import sends; NULL where it invites nobody.
ALTER TABLE imports ADD COLUMN invite_url TEXT;
