-- A new database has no slugs to make anew.
INSERT INTO fills (name, position)
SELECT 'slugs_of_tags', 9007199254740991
WHERE NOT EXISTS (SELECT 1 FROM tags)
ON CONFLICT DO NOTHING;
INSERT INTO fills (name, position)
SELECT 'slugs_of_categories', 9007199254740991
WHERE NOT EXISTS (SELECT 1 FROM feedback_categories)
ON CONFLICT DO NOTHING;
INSERT INTO fills (name, position)
SELECT 'slugs_of_statuses', 9007199254740991
WHERE NOT EXISTS (SELECT 1 FROM feedback_statuses)
ON CONFLICT DO NOTHING;
INSERT INTO fills (name, position)
SELECT 'slugs_of_work_item_tags', 9007199254740991
WHERE NOT EXISTS (SELECT 1 FROM work_items)
ON CONFLICT DO NOTHING;
