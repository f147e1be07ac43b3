import { expect, test } from 'vitest'
import { shortenSql } from '../../src/db/sql/sql-text'

const cases: [name: string, text: string, short: string][] = [
  ['white space outside of texts is removed', `SELECT  'a  "b" , c' ,\n  1`, `SELECT 'a  "b" , c',1`],
  ['a reserved name keeps its quotes', `SELECT "order", "name", "a b" FROM t`, `SELECT "order",name,"a b" FROM t`],
  [
    'a frequent table name becomes its initials',
    `SELECT "work_items"."id", "work_items"."order" FROM "work_items" WHERE "work_items"."id" = ?1`,
    `SELECT wi.id,wi."order" FROM work_items AS wi WHERE wi.id=?1`,
  ],
  [
    'a rare table name stays',
    `SELECT "kpis"."id" FROM "kpis" WHERE "kpis"."id" = ?1`,
    `SELECT kpis.id FROM kpis WHERE kpis.id=?1`,
  ],
  [
    'an alias that exists gets a number',
    `SELECT "kpis"."id", "kpis"."a", k.b FROM "kpis" JOIN x k ON k.id = "kpis"."id"`,
    `SELECT k1.id,k1.a,k.b FROM kpis AS k1 JOIN x k ON k.id=k1.id`,
  ],
  [
    'an existing alias of the same table stays',
    `SELECT "kpis"."id", "kpis"."a", c.b FROM "kpis" JOIN "kpis" c ON c.id = "kpis"."id"`,
    `SELECT k.id,k.a,c.b FROM kpis AS k JOIN kpis c ON c.id=k.id`,
  ],
  [
    'an UPDATE and a subquery get the alias',
    `UPDATE "kpis" SET "a" = (SELECT "kpis"."b" FROM (SELECT 1 AS b) "kpis") WHERE "kpis"."id" = "kpis"."b"`,
    `UPDATE kpis AS k SET a=(SELECT k.b FROM(SELECT 1 AS b)k)WHERE k.id=k.b`,
  ],
  [
    'a column with the name of a table prevents aliases',
    `INSERT INTO "x" ("tags") SELECT "tags"."id" FROM "tags" WHERE "tags"."a" = "tags"."b"`,
    `INSERT INTO x(tags)SELECT tags.id FROM tags WHERE tags.a=tags.b`,
  ],
  [
    'a RETURNING clause prevents aliases',
    `INSERT INTO "kpis" ("a") SELECT 1 RETURNING "kpis"."a", "kpis"."b", "kpis"."c"`,
    `INSERT INTO kpis(a)SELECT 1 RETURNING kpis.a,kpis.b,kpis.c`,
  ],
]

test.each(cases)('%s', (_, text, short) => {
  expect(shortenSql(text)).toBe(short)
})
