CREATE TABLE kpis (
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
  linked INTEGER NOT NULL DEFAULT 0, -- 1 while a work item names it; kept by the triggers below
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE UNIQUE INDEX kpis_key ON kpis (subscription_id, external_key);
CREATE INDEX kpis_order ON kpis (product_id, "order", id) WHERE deleted_at IS NULL;
CREATE INDEX kpis_linked_order ON kpis (product_id, linked, "order", id) WHERE deleted_at IS NULL;

CREATE TRIGGER work_item_kpis_linked AFTER INSERT ON work_item_kpis
BEGIN
  UPDATE kpis SET linked = 1 WHERE id = NEW.kpi_id AND linked = 0;
END;

CREATE TRIGGER work_item_kpis_unlinked AFTER DELETE ON work_item_kpis
BEGIN
  UPDATE kpis SET linked = 0
  WHERE id = OLD.kpi_id
    AND NOT EXISTS (
      SELECT 1 FROM work_item_kpis WHERE subscription_id = OLD.subscription_id AND kpi_id = OLD.kpi_id
    );
END;

-- Spec: "revisions". `value` is hundredths.
CREATE TABLE kpi_records (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  kpi_id INTEGER NOT NULL,
  value INTEGER NOT NULL,
  created_at INTEGER NOT NULL
);
CREATE INDEX kpi_records_created ON kpi_records (subscription_id, kpi_id, created_at, id);
