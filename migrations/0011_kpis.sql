-- KPIs, their records and the sums of each day.

CREATE TABLE IF NOT EXISTS kpis (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  external_key TEXT NOT NULL,
  title TEXT NOT NULL,
  statement TEXT,
  benchmark INTEGER NOT NULL DEFAULT 0, -- hundredths
  benchmark_unit TEXT,
  benchmark_type TEXT,
  aggregate TEXT NOT NULL DEFAULT 'last',
  due_date INTEGER,
  visualization INTEGER NOT NULL DEFAULT 1,
  dashboard_visualization INTEGER NOT NULL DEFAULT 0,
  "order" INTEGER NOT NULL,
  linked INTEGER NOT NULL DEFAULT 0, -- counted by triggers of work_item_kpis and work_items
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE UNIQUE INDEX IF NOT EXISTS kpis_key ON kpis (subscription_id, external_key);
CREATE INDEX IF NOT EXISTS kpis_order ON kpis (product_id, "order", id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS kpis_linked_order ON kpis (product_id, linked, "order", id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS kpis_removed ON kpis (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TRIGGER IF NOT EXISTS kpis_search_insert AFTER INSERT ON kpis
BEGIN
  INSERT INTO search (rowid, scope, title, body)
  VALUES (
    NEW.id * 16 + 6, 's' || NEW.subscription_id || 'k6 p' || NEW.product_id || 'k6', NEW.title,
    NEW.external_key || ' ' || coalesce(substr(NEW.statement, 1, 20000), '')
  );
END;

CREATE TRIGGER IF NOT EXISTS kpis_search_update AFTER UPDATE OF title, statement ON kpis
WHEN OLD.title IS NOT NEW.title OR OLD.statement IS NOT NEW.statement
BEGIN
  DELETE FROM search WHERE rowid = OLD.id * 16 + 6;
  INSERT INTO search (rowid, scope, title, body)
  VALUES (
    NEW.id * 16 + 6, 's' || NEW.subscription_id || 'k6 p' || NEW.product_id || 'k6', NEW.title,
    NEW.external_key || ' ' || coalesce(substr(NEW.statement, 1, 20000), '')
  );
END;

CREATE TRIGGER IF NOT EXISTS kpis_search_delete AFTER DELETE ON kpis
BEGIN
  DELETE FROM search WHERE rowid = OLD.id * 16 + 6;
END;

CREATE TABLE IF NOT EXISTS kpi_records (
  subscription_id INTEGER NOT NULL,
  kpi_id INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  id INTEGER NOT NULL,
  value INTEGER NOT NULL, -- hundredths
  PRIMARY KEY (subscription_id, kpi_id, created_at, id)
) WITHOUT ROWID;

-- Sums of the records of each day (UTC, counted from 1970). A sum is sum_high * 100000000 + sum_low, in hundredths.
CREATE TABLE IF NOT EXISTS kpi_days (
  subscription_id INTEGER NOT NULL,
  kpi_id INTEGER NOT NULL,
  day INTEGER NOT NULL,
  records INTEGER NOT NULL,
  sum_high INTEGER NOT NULL,
  sum_low INTEGER NOT NULL,
  least INTEGER NOT NULL,
  greatest INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  last_value INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, kpi_id, day)
) WITHOUT ROWID;
