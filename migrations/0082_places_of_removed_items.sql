-- Removed items keep their places in the order of their type, because they can return: a move looks at both halves.
CREATE INDEX work_items_removed_rank ON work_items (product_id, type, rank, id) WHERE deleted_at IS NOT NULL;

-- Orders in which two items have one rank, which moves next to a removed item made: all of their items get fresh ranks, in the same order. The numbers stay below the counter of the type, from which new items take theirs.
UPDATE work_items SET rank = o.rank FROM (SELECT id, printf('k1%010d', row_number() OVER (PARTITION BY product_id, type ORDER BY rank, id)) AS rank FROM work_items WHERE (product_id, type) IN (SELECT product_id, type FROM work_items GROUP BY product_id, type, rank HAVING count(*) > 1)) o WHERE work_items.id = o.id;
