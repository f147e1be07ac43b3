CREATE TABLE segments (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  description TEXT,
  color TEXT,
  type TEXT NOT NULL DEFAULT 'manual',
  rules TEXT,
  user_count INTEGER NOT NULL DEFAULT 0, -- kept by the writes that change members
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE UNIQUE INDEX segments_name ON segments (subscription_id, name) WHERE deleted_at IS NULL;
CREATE INDEX segments_created ON segments (subscription_id, created_at, id) WHERE deleted_at IS NULL;

CREATE TABLE segment_members (
  subscription_id INTEGER NOT NULL,
  segment_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, segment_id, user_id)
) WITHOUT ROWID;

-- Addresses that get no mail: from one segment, or from all (segment_id 0).
CREATE TABLE suppressions (
  subscription_id INTEGER NOT NULL,
  email TEXT NOT NULL,
  segment_id INTEGER NOT NULL DEFAULT 0,
  reason TEXT NOT NULL CHECK (reason IN ('unsubscribe', 'hard_bounce', 'complaint', 'manual')),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, email, segment_id)
) WITHOUT ROWID;

-- One mailing: accepted in the request, delivered by the queue.
CREATE TABLE emails (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  reference TEXT NOT NULL, -- random; names the job in the batch that creates it, and in provider idempotency keys
  segment_id INTEGER,
  subject TEXT NOT NULL,
  html TEXT NOT NULL,
  text TEXT NOT NULL,
  base_url TEXT NOT NULL, -- where the unsubscribe links lead
  status TEXT NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'sending', 'completed')),
  chunk_size INTEGER NOT NULL,
  total INTEGER NOT NULL,
  sent INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  suppressed INTEGER NOT NULL DEFAULT 0, -- unsubscribed between acceptance and sending
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  completed_at INTEGER
);
CREATE UNIQUE INDEX emails_reference ON emails (subscription_id, reference);

-- Frozen at acceptance. Chunk n holds the positions from n × chunk_size to the next chunk's first.
CREATE TABLE email_recipients (
  subscription_id INTEGER NOT NULL,
  email_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  email TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'sending', 'sent', 'failed', 'suppressed')),
  reason TEXT,
  provider_id TEXT,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, email_id, position)
) WITHOUT ROWID;

CREATE TABLE email_chunks (
  subscription_id INTEGER NOT NULL,
  email_id INTEGER NOT NULL,
  chunk INTEGER NOT NULL,
  -- waiting: the provider asked for patience, until next_attempt_at
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'waiting', 'sending', 'done')),
  attempts INTEGER NOT NULL DEFAULT 0, -- claims, whatever came of them
  asked INTEGER NOT NULL DEFAULT 0, -- attempts in which the provider was asked: only these can be used up
  next_attempt_at INTEGER NOT NULL, -- when the cron may wake it; while sending: when the claim lapses
  claim TEXT, -- random; names the attempt that may settle the chunk
  unsure_since INTEGER, -- first attempt of which nobody knows whether the provider took it
  problem TEXT, -- why the last attempt did not finish
  PRIMARY KEY (subscription_id, email_id, chunk)
) WITHOUT ROWID;
-- For the cron: the chunks that are due, whoever they belong to.
CREATE INDEX email_chunks_due ON email_chunks (next_attempt_at) WHERE status <> 'done';
