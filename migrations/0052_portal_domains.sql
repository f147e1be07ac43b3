-- Own host name of a portal, and whether a TXT record has verified the name.
ALTER TABLE portals ADD COLUMN domain TEXT;
ALTER TABLE portals ADD COLUMN domain_verified INTEGER; -- 1 if verified

-- A request names only its host, so a verified domain belongs to a single portal.
CREATE UNIQUE INDEX IF NOT EXISTS portals_domain ON portals (domain) WHERE domain_verified = 1;
