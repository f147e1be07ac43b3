import { expect, test } from 'vitest'
import { formatSql } from '../../scripts/measure/format-sql'

test('a short statement stays on a line', () => {
  expect(formatSql("SELECT a,b FROM t WHERE a=?1 AND b IN(SELECT 'x,y=z')")).toBe(
    "SELECT a, b FROM t WHERE a = ?1 AND b IN (SELECT 'x,y=z')",
  )
})

test('a long statement breaks at clauses, commas and parentheses', () => {
  const [first, second] = ['first_long_column_name', 'second_long_column_name']
  const text = `INSERT OR IGNORE INTO t(${first},${second})SELECT CASE WHEN ${first} BETWEEN ?1 AND ?2 THEN ?3 WHEN ${second}=?4 THEN ?5 END,(SELECT ${first} FROM u WHERE ${second}=?6) FROM v LEFT JOIN w ON w.${first}=v.${first} AND w.${second}=v.${second} WHERE v.a=?1`
  expect(formatSql(text)).toMatchInlineSnapshot(`
    "INSERT OR IGNORE INTO t(first_long_column_name, second_long_column_name)
    SELECT CASE
      WHEN first_long_column_name BETWEEN ?1 AND ?2 THEN ?3 WHEN second_long_column_name = ?4 THEN ?5
    END,
      (SELECT first_long_column_name FROM u WHERE second_long_column_name = ?6)
    FROM v
    LEFT JOIN w
      ON w.first_long_column_name = v.first_long_column_name
      AND w.second_long_column_name = v.second_long_column_name
    WHERE v.a = ?1"
  `)
})
