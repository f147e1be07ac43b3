import { expect, test } from 'vitest'
import { shortenSql } from '../../src/db/sql/sql-text'

const cases: [name: string, text: string, short: string][] = [
  ['white space goes, text stays', `SELECT  'a  "b" , c' ,\n  1`, `SELECT 'a  "b" , c',1`],
  ['a name keeps quotes that it needs', `SELECT "order", "name", "a b" FROM t`, `SELECT "order",name,"a b" FROM t`],
  [
    'a table named often is called by its initials',
    `SELECT "work_items"."id", "work_items"."order" FROM "work_items" WHERE "work_items"."id" = ?1`,
    `SELECT wi.id,wi."order" FROM work_items AS wi WHERE wi.id=?1`,
  ],
  [
    'not where that costs more than it saves',
    `SELECT "kpis"."id" FROM "kpis" WHERE "kpis"."id" = ?1`,
    `SELECT kpis.id FROM kpis WHERE kpis.id=?1`,
  ],
  [
    'another name where the text has that one',
    `SELECT "kpis"."id", "kpis"."a", k.b FROM "kpis" JOIN x k ON k.id = "kpis"."id"`,
    `SELECT k1.id,k1.a,k.b FROM kpis AS k1 JOIN x k ON k.id=k1.id`,
  ],
  [
    'a table that has a name of its own beside is left that',
    `SELECT "kpis"."id", "kpis"."a", c.b FROM "kpis" JOIN "kpis" c ON c.id = "kpis"."id"`,
    `SELECT k.id,k.a,c.b FROM kpis AS k JOIN kpis c ON c.id=k.id`,
  ],
  [
    'a row in the place of a table, and a change',
    `UPDATE "kpis" SET "a" = (SELECT "kpis"."b" FROM (SELECT 1 AS b) "kpis") WHERE "kpis"."id" = "kpis"."b"`,
    `UPDATE kpis AS k SET a=(SELECT k.b FROM(SELECT 1 AS b)k)WHERE k.id=k.b`,
  ],
  [
    'a column of the same name leaves all as it is',
    `INSERT INTO "x" ("tags") SELECT "tags"."id" FROM "tags" WHERE "tags"."a" = "tags"."b"`,
    `INSERT INTO x(tags)SELECT tags.id FROM tags WHERE tags.a=tags.b`,
  ],
  [
    'so does RETURNING, which knows no other name',
    `INSERT INTO "kpis" ("a") SELECT 1 RETURNING "kpis"."a", "kpis"."b", "kpis"."c"`,
    `INSERT INTO kpis(a)SELECT 1 RETURNING kpis.a,kpis.b,kpis.c`,
  ],
]

test.each(cases)('%s', (_, text, short) => {
  expect(shortenSql(text)).toBe(short)
})
