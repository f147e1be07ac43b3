import { type SQL, sql } from 'drizzle-orm'
import { inline } from './statement'

/*
 * Ranks are fractional indexes in base 62. A new rank always fits between two ranks, and placing a record writes a
 * single row. The write's own batch computes the rank, because batches run in turn and never get the same rank.
 */

const DIGITS = inline('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')
// Integer part of every rank: k and eleven digits.
const INTEGER_LENGTH = inline(12)
// A rank with more digits was not made by this code.
const MAX_STEPS = inline(1_000)

/** Rank of the `n`th record. The integer part uses only the digits 0 to 9, with room for ranks before the first. */
export const nthRank = (n: SQL) => sql`printf('k1%010d', ${n})`

export const initialRanks = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `k1${String(n + 1).padStart(10, '0')}`)

const digitValue = (text: SQL) => sql`(instr(${DIGITS}, substr(${text}, 1, 1)) - 1)`
const nthDigit = (n: SQL) => sql`substr(${DIGITS}, (${n}) + 1, 1)`

/** Next or previous integer part: trailing `full` digits overflow and become `empty`. */
function stepInteger(integer: SQL, step: 1 | -1): SQL {
  const [full, empty] = step === 1 ? [inline('z'), inline('0')] : [inline('0'), inline('z')]
  const kept = sql`rtrim(${integer}, ${full})`
  return sql`substr(${kept}, 1, length(${kept}) - 1) || ${nthDigit(sql`${digitValue(sql`substr(${kept}, -1)`)} + ${sql.raw(String(step))}`)}
    || replace(substr('00000000000', 1, ${INTEGER_LENGTH} - length(${kept})), '0', ${empty})`
}

const hasSameDigit = sql.raw("(above IS NOT NULL AND substr(below || '0', 1, 1) = substr(above, 1, 1))")
const lowDigit = digitValue(sql`below`)
const hasGap = sql`(CASE WHEN above IS NULL THEN 62 ELSE ${digitValue(sql`above`)} END - (${lowDigit}) > 1)`

/** Computed like the midpoint of fractional-indexing; without `above`, after all ranks. */
const midpoint = (below: SQL, above: SQL) => sql`(WITH RECURSIVE step (prefix, below, above, n, done) AS (
  SELECT '', ${below}, ${above}, 0, 0
  UNION ALL
  SELECT prefix || CASE WHEN ${hasSameDigit} OR NOT ${hasGap} AND length(above) > 1 THEN substr(above, 1, 1)
      WHEN ${hasGap} THEN ${nthDigit(sql`(${lowDigit} + CASE WHEN above IS NULL THEN 62 ELSE ${digitValue(sql`above`)} END + 1) / 2`)}
      ELSE ${nthDigit(lowDigit)} END,
    substr(below, 2), CASE WHEN ${hasSameDigit} THEN substr(above, 2) END, n + 1,
    NOT ${hasSameDigit} AND (${hasGap} OR coalesce(length(above) > 1, 0))
  FROM step WHERE NOT done AND n < ${MAX_STEPS}
) SELECT prefix FROM step WHERE done)`

const integerOf = (rank: SQL) => sql`substr(${rank}, 1, ${INTEGER_LENGTH})`
const fractionOf = (rank: SQL) => sql`substr(${rank}, ${INTEGER_LENGTH} + 1)`

/** Pass column names, because both are used many times. */
export function rankBetween(a: SQL, b: SQL): SQL {
  const whole = sql`${integerOf(a)} = ${integerOf(b)}`
  const next = stepInteger(integerOf(a), 1)
  return sql`CASE WHEN ${a} >= ${b} THEN ${a} || 'V' WHEN NOT ${whole} AND ${next} < ${b} THEN ${next}
    ELSE ${integerOf(a)} || ${midpoint(fractionOf(a), sql`CASE WHEN ${whole} THEN ${fractionOf(b)} END`)} END`
}

export const rankBefore = (b: SQL) =>
  sql`CASE WHEN length(${b}) > ${INTEGER_LENGTH} THEN ${integerOf(b)} ELSE ${stepInteger(integerOf(b), -1)} END`

export const rankAfter = (a: SQL) => stepInteger(integerOf(a), 1)
