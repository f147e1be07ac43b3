-- Full-text indexes. The rowid is the id of the record times 16, plus the kind: 1 team, 2 person, 3 idea, 4 persona,
-- 5 work item, 6 KPI, 7 document. The scope holds s<workspace>k<kind>, and p<product>k<kind> where
-- the record belongs to a product. Triggers of each table write the words.

CREATE VIRTUAL TABLE IF NOT EXISTS search USING fts5 (
  scope,
  title,
  body,
  content = '',
  contentless_delete = 1,
  tokenize = 'unicode61 remove_diacritics 2',
  prefix = '2'
);
INSERT INTO search (search, rank) VALUES ('automerge', 8);
INSERT INTO search (search, rank) VALUES ('crisismerge', 32);

CREATE VIRTUAL TABLE IF NOT EXISTS search_people USING fts5 (
  scope,
  title,
  body,
  content = '',
  contentless_delete = 1,
  tokenize = 'unicode61 remove_diacritics 2',
  prefix = '2'
);
INSERT INTO search_people (search_people, rank) VALUES ('automerge', 16);
INSERT INTO search_people (search_people, rank) VALUES ('crisismerge', 64);
