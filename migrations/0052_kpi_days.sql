-- What a day (UTC, counted from 1970) has of a KPI: a range of a million records is read as its days.
-- A sum is sum_high * 100000000 + sum_low hundredths: in two parts it is exact, whatever the values.
CREATE TABLE kpi_days (
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

INSERT INTO kpi_days (subscription_id, kpi_id, day, records, sum_high, sum_low, least, greatest, last_at, last_value)
SELECT d.subscription_id, d.kpi_id, d.day, d.records, d.sum_high, d.sum_low, d.least, d.greatest, d.last_at,
  (SELECT r.value FROM kpi_records r
    WHERE r.subscription_id = d.subscription_id AND r.kpi_id = d.kpi_id AND r.created_at = d.last_at
    ORDER BY r.id DESC LIMIT 1)
FROM (
  SELECT subscription_id, kpi_id, (created_at - ((created_at % 86400000) + 86400000) % 86400000) / 86400000 AS day,
    count(*) AS records, sum(value / 100000000) AS sum_high, sum(value % 100000000) AS sum_low,
    min(value) AS least, max(value) AS greatest, max(created_at) AS last_at
  FROM kpi_records GROUP BY 1, 2, 3
) d;
