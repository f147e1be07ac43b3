-- Whether a work item that is there still names a KPI: the newest are asked first, as the oldest are mostly what was removed.
DROP TRIGGER work_item_kpis_unlinked;

CREATE TRIGGER work_item_kpis_unlinked AFTER DELETE ON work_item_kpis BEGIN UPDATE kpis SET linked = 0 WHERE id = OLD.kpi_id AND linked = 1 AND (SELECT l.work_item_id FROM work_item_kpis l CROSS JOIN work_items w ON w.id = l.work_item_id AND w.deleted_at IS NULL WHERE l.subscription_id = OLD.subscription_id AND l.kpi_id = OLD.kpi_id ORDER BY l.work_item_id DESC LIMIT 1) IS NULL; END;

DROP TRIGGER work_items_removed_kpis;

CREATE TRIGGER work_items_removed_kpis AFTER UPDATE OF deleted_at ON work_items WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL BEGIN UPDATE kpis SET linked = 0 WHERE linked = 1 AND id IN (SELECT kpi_id FROM work_item_kpis WHERE subscription_id = OLD.subscription_id AND work_item_id = OLD.id) AND (SELECT l.work_item_id FROM work_item_kpis l CROSS JOIN work_items w ON w.id = l.work_item_id AND w.deleted_at IS NULL WHERE l.subscription_id = kpis.subscription_id AND l.kpi_id = kpis.id ORDER BY l.work_item_id DESC LIMIT 1) IS NULL; END;
