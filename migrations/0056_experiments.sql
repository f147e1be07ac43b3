CREATE TABLE experiments (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  external_key TEXT NOT NULL,
  title TEXT NOT NULL,
  hypothesis TEXT,
  method TEXT,
  success_criteria TEXT,
  target_value INTEGER, -- hundredths
  actual_value INTEGER, -- hundredths
  status TEXT NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'running', 'stopped')),
  result TEXT CHECK (result IN ('validated', 'invalidated', 'inconclusive')),
  decision TEXT CHECK (decision IN ('persevere', 'pivot', 'stop')),
  learnings TEXT,
  kpi_id INTEGER,
  opportunity_id INTEGER,
  started_at INTEGER,
  stopped_at INTEGER,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE UNIQUE INDEX experiments_key ON experiments (subscription_id, external_key);
CREATE INDEX experiments_created ON experiments (product_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX experiments_status ON experiments (product_id, status, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX experiments_kpi ON experiments (subscription_id, kpi_id) WHERE kpi_id IS NOT NULL;
CREATE INDEX experiments_opportunity ON experiments (subscription_id, opportunity_id) WHERE opportunity_id IS NOT NULL;
CREATE INDEX experiments_removed ON experiments (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX experiments_heavy ON experiments (subscription_id) WHERE coalesce(octet_length(hypothesis), 0) + coalesce(octet_length(method), 0) + coalesce(octet_length(success_criteria), 0) + coalesce(octet_length(learnings), 0) > 40000;

-- With the moment of the experiment, so that those of a persona are read in their order.
CREATE TABLE experiment_personas (
  subscription_id INTEGER NOT NULL,
  experiment_id INTEGER NOT NULL,
  persona_id INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, experiment_id, persona_id)
) WITHOUT ROWID;
CREATE INDEX experiment_personas_persona ON experiment_personas (subscription_id, persona_id, created_at, experiment_id);

CREATE TABLE experiment_work_items (
  subscription_id INTEGER NOT NULL,
  experiment_id INTEGER NOT NULL,
  work_item_id INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, experiment_id, work_item_id)
) WITHOUT ROWID;
CREATE INDEX experiment_work_items_item ON experiment_work_items (subscription_id, work_item_id);
