CREATE TABLE personas (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  product_id INTEGER,
  external_key TEXT NOT NULL,
  name TEXT NOT NULL,
  occupation TEXT,
  quote TEXT,
  description TEXT,
  color TEXT,
  goals TEXT NOT NULL DEFAULT '[]',
  pains TEXT NOT NULL DEFAULT '[]',
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE UNIQUE INDEX personas_key ON personas (subscription_id, external_key);
CREATE INDEX personas_created ON personas (subscription_id, created_at, id) WHERE deleted_at IS NULL;

CREATE TABLE persona_summaries (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  persona_id INTEGER NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('pain', 'gain', 'job', 'note')),
  text TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE INDEX persona_summaries_persona ON persona_summaries (subscription_id, persona_id, created_at, id)
  WHERE deleted_at IS NULL;

-- A persona's notes: one document.
CREATE TABLE persona_documentation (
  subscription_id INTEGER NOT NULL,
  persona_id INTEGER NOT NULL,
  title TEXT NOT NULL DEFAULT '',
  content TEXT NOT NULL DEFAULT '',
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, persona_id)
) WITHOUT ROWID;

CREATE TABLE opportunities (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  product_id INTEGER,
  persona_id INTEGER NOT NULL,
  summary_id INTEGER NOT NULL,
  external_key TEXT NOT NULL,
  summary TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  color TEXT NOT NULL DEFAULT '',
  spread TEXT NOT NULL DEFAULT '',
  intensity TEXT NOT NULL DEFAULT '',
  progress TEXT NOT NULL DEFAULT 'to-do',
  status TEXT NOT NULL DEFAULT 'active',
  team_id INTEGER,
  "order" INTEGER NOT NULL,
  plan_order INTEGER NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE UNIQUE INDEX opportunities_key ON opportunities (subscription_id, external_key);
CREATE INDEX opportunities_persona ON opportunities (subscription_id, persona_id, id);
