-- Segments, invitations, mailings and their recipients.

CREATE TABLE IF NOT EXISTS segments (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  description TEXT,
  color TEXT,
  type TEXT NOT NULL DEFAULT 'manual',
  rules TEXT,
  user_count INTEGER NOT NULL DEFAULT 0,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  counted_at INTEGER -- last evaluation of the rules of a dynamic segment
);
CREATE UNIQUE INDEX IF NOT EXISTS segments_name ON segments (subscription_id, name) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS segments_created ON segments (subscription_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS segments_removed ON segments (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS segments_heavy ON segments (subscription_id)
  WHERE coalesce(octet_length(rules), 0) > 40000;
CREATE INDEX IF NOT EXISTS segments_type ON segments (subscription_id, type, created_at, id) WHERE deleted_at IS NULL;

CREATE TABLE IF NOT EXISTS segment_members (
  subscription_id INTEGER NOT NULL,
  segment_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, segment_id, user_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS segment_members_user ON segment_members (subscription_id, user_id, segment_id);

CREATE TABLE IF NOT EXISTS invitations (
  subscription_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  -- a pending invitation past expires_at is expired
  status TEXT NOT NULL CHECK (status IN ('pending', 'accepted', 'canceled')),
  round INTEGER NOT NULL DEFAULT 1, -- part of the link, so that a canceled link stays canceled
  sent_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  resend_count INTEGER NOT NULL DEFAULT 0,
  mailing TEXT NOT NULL, -- random name of the mailing
  PRIMARY KEY (subscription_id, user_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS invitations_mailing ON invitations (subscription_id, mailing, user_id);
CREATE INDEX IF NOT EXISTS invitations_pending ON invitations (subscription_id, sent_at, user_id)
  WHERE status = 'pending';

-- Addresses without mail, from one segment or from all. No id is given twice.
CREATE TABLE IF NOT EXISTS suppressions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  subscription_id INTEGER NOT NULL,
  email TEXT NOT NULL,
  segment_id INTEGER NOT NULL DEFAULT 0, -- 0 for all mail
  reason TEXT NOT NULL CHECK (reason IN ('unsubscribe', 'hard_bounce', 'complaint', 'manual')),
  created_at INTEGER NOT NULL
);
CREATE UNIQUE INDEX IF NOT EXISTS suppressions_address ON suppressions (subscription_id, email, segment_id);
CREATE INDEX IF NOT EXISTS suppressions_created ON suppressions (subscription_id, created_at);

CREATE TABLE IF NOT EXISTS emails (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  reference TEXT NOT NULL, -- random, names the mailing in its batch and in idempotency keys of the provider
  segment_id INTEGER,
  subject TEXT NOT NULL,
  html TEXT NOT NULL,
  text TEXT NOT NULL,
  base_url TEXT NOT NULL, -- address of the unsubscribe links
  status TEXT NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'sending', 'completed')),
  chunk_size INTEGER NOT NULL,
  total INTEGER NOT NULL,
  sent INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  suppressed INTEGER NOT NULL DEFAULT 0, -- unsubscribed between acceptance and sending
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  completed_at INTEGER,
  kind TEXT NOT NULL DEFAULT 'segment', -- segment, members, test, invitation, feedback, release, notice
  reply_to TEXT,
  scheduled_at INTEGER,
  canceled_at INTEGER,
  delivered INTEGER NOT NULL DEFAULT 0,
  bounced INTEGER NOT NULL DEFAULT 0,
  complained INTEGER NOT NULL DEFAULT 0,
  event_count INTEGER NOT NULL DEFAULT 0,
  erased_at INTEGER, -- addresses of the recipients deleted
  forgotten_at INTEGER, -- rows of the recipients deleted
  variables TEXT -- JSON object of texts for all recipients
);
CREATE UNIQUE INDEX IF NOT EXISTS emails_reference ON emails (subscription_id, reference);
CREATE INDEX IF NOT EXISTS emails_segment ON emails (subscription_id, segment_id, created_at)
  WHERE segment_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS emails_created ON emails (subscription_id, created_at);
CREATE INDEX IF NOT EXISTS emails_ended ON emails (completed_at) WHERE completed_at IS NOT NULL AND erased_at IS NULL;
CREATE INDEX IF NOT EXISTS emails_by_hand ON emails (subscription_id, created_at)
  WHERE kind IN ('segment', 'members', 'test');
CREATE INDEX IF NOT EXISTS emails_erased ON emails (completed_at)
  WHERE erased_at IS NOT NULL AND forgotten_at IS NULL;

-- Recipients are frozen when a mailing is accepted.
CREATE TABLE IF NOT EXISTS email_recipients (
  subscription_id INTEGER NOT NULL,
  email_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  email TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'sending', 'sent', 'failed', 'suppressed')),
  reason TEXT,
  provider_id TEXT,
  updated_at INTEGER NOT NULL,
  variables TEXT, -- JSON object of texts for this recipient
  event_rank INTEGER NOT NULL DEFAULT 0, -- 1 soft bounce, 2 delivered, 3 hard bounce, 4 complaint
  by_id INTEGER, -- 1: events of the provider name the message by its id alone
  PRIMARY KEY (subscription_id, email_id, position)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS email_recipients_by_id ON email_recipients (provider_id) WHERE by_id = 1;

CREATE TABLE IF NOT EXISTS email_chunks (
  subscription_id INTEGER NOT NULL,
  email_id INTEGER NOT NULL,
  chunk INTEGER NOT NULL,
  -- waiting: until next_attempt_at, as the provider asked
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'waiting', 'sending', 'done')),
  attempts INTEGER NOT NULL DEFAULT 0, -- claims
  asked INTEGER NOT NULL DEFAULT 0, -- attempts that called the provider
  next_attempt_at INTEGER NOT NULL, -- while sending: end of the claim
  claim TEXT, -- random, names the attempt
  unsure_since INTEGER, -- first attempt with an unknown outcome
  problem TEXT, -- of the last attempt
  PRIMARY KEY (subscription_id, email_id, chunk)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS email_chunks_due ON email_chunks (email_id, next_attempt_at) WHERE status <> 'done';

-- Recipients without a row yet, as JSON: [[user id, variables], ...].
CREATE TABLE IF NOT EXISTS email_slices (
  subscription_id INTEGER NOT NULL,
  email_id INTEGER NOT NULL,
  slice INTEGER NOT NULL,
  recipients TEXT NOT NULL,
  next_attempt_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, email_id, slice)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS email_slices_due ON email_slices (email_id, next_attempt_at);

-- Workspaces whose mail the provider refuses.
CREATE TABLE IF NOT EXISTS mail_outages (
  subscription_id INTEGER NOT NULL,
  provider TEXT NOT NULL,
  since INTEGER NOT NULL,
  failed_at INTEGER NOT NULL, -- last failed call
  reason TEXT NOT NULL,
  reported_at INTEGER, -- time of the event
  PRIMARY KEY (subscription_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS mail_outages_unreported ON mail_outages (since) WHERE reported_at IS NULL;
