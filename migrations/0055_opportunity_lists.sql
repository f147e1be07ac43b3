DROP INDEX opportunities_persona;
CREATE INDEX opportunities_persona ON opportunities (subscription_id, persona_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX opportunities_heavy ON opportunities (subscription_id) WHERE octet_length(description) > 40000;
