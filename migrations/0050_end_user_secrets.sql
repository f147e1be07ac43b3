-- Secrets of portals are found when the first signing secret of the service has changed.
CREATE INDEX IF NOT EXISTS portals_sealed ON portals (sealed_by) WHERE end_user_secret IS NOT NULL;
