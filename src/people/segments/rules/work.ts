import { parseCustomAttributeName } from './attributes'

/**
 * A step takes at most about 4 µs (SQLite 3.53, 100 attributes per member), hence an evaluation at
 * most about 5 s. Attribute names with a quote or a backslash are slowest, other names take a third of the time.
 */
export const MAX_RULE_WORK = 1_250_000
/** Maximum steps per member; a page of a list evaluates 10,000 members. */
export const MAX_RULE_STEPS = 200
/** Maximum steps of all segments on a page with users, which fits a workspace of 31,250 members. */
export const MAX_RULE_STEPS_PER_PAGE = 40
/** Maximum letters to fold in a condition: SQLite nests at most 100 expressions, and a list needs the remaining ones. */
const MAX_FOLDED_LETTERS = 28
/** A longer search text takes no more time, because a value has at most 1,000 characters. */
const MAX_SEARCH_STEPS = 20

export const RULE_BUDGET_DESCRIPTION = `Rules have a budget: the members of the workspace times the steps of the rules is at most ${MAX_RULE_WORK.toLocaleString('en-US')}, with at most ${MAX_RULE_STEPS} steps. A condition is a step. Each 16 characters of an attribute's name, each 100 values of a list, each different letter outside a to z, and each 40 bytes of a text to find add a step. Rules that exceed the budget are a 400.`

export const TOO_MANY_STEPS_MESSAGE = `The rules take more than ${MAX_RULE_STEPS} steps for each member. Use fewer conditions, shorter lists, or shorter texts and attribute names.`
export const TOO_MUCH_WORK_MESSAGE =
  'The rules take too much work for so many members. Use fewer conditions, shorter lists, or shorter texts and attribute names.'

export const TOO_MUCH_PAGE_WORK_MESSAGE =
  'The rules of the segments on this page take too much work for so many members. Set a smaller limit, or simplify the rules: GET /api/v2/segments shows all rules.'

const NON_ASCII_PATTERN = /[^\u0000-\u007f]/gu

function foldLetter(letter: string): string {
  const upper = letter.toUpperCase()
  const lower = (isSingleLetter(upper) ? upper : letter).toLowerCase()
  return isSingleLetter(lower) && lower > '\u007f' ? lower : letter
}

const isSingleLetter = (text: string) => [...text].length === 1

/** Folds a text letter by letter, exactly as the SQL folds stored text. */
export const foldCase = (text: string): string =>
  text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).replace(NON_ASCII_PATTERN, foldLetter)

/** Letters with a further form besides upper case. */
const FURTHER_LETTER_FORMS: Readonly<Record<string, string>> = { σ: 'ς', ß: 'ẞ', μ: 'µ' }

export function findLetterPairs(folded: unknown): string[] {
  const texts = Array.isArray(folded) ? folded : [folded]
  const letters = new Set(
    texts.flatMap((text) => (typeof text === 'string' ? (text.match(NON_ASCII_PATTERN) ?? []) : [])),
  )
  return [...letters].flatMap((letter) => {
    const forms = new Set([letter.toUpperCase(), FURTHER_LETTER_FORMS[letter] ?? letter])
    return [...forms].filter((form) => form !== letter && isSingleLetter(form)).flatMap((form) => [form, letter])
  })
}

export const findLetterProblem = (value: unknown): string | undefined =>
  findLetterPairs(Array.isArray(value) ? value.map((one) => foldCase(String(one))) : foldCase(String(value))).length /
    2 >
  MAX_FOLDED_LETTERS
    ? `Must have at most ${MAX_FOLDED_LETTERS} different letters outside a to z. Split the condition.`
    : undefined

export function countRuleSteps(
  conditions: readonly { attribute: string; operator: string; value?: unknown }[],
): number {
  return conditions.reduce((sum, { attribute, operator, value }) => {
    const name = Math.floor((parseCustomAttributeName(attribute)?.length ?? 0) / 16)
    const values = Array.isArray(value) ? Math.floor(value.length / 100) : 0
    const texts = (Array.isArray(value) ? value.map(String) : [String(value ?? '')]).map(foldCase)
    const letters = findLetterPairs(texts).length / 2
    const search = operator.endsWith('contains') ? Math.ceil(countBytes(texts[0] ?? '') / 40) : 0
    return sum + 1 + name + values + letters + Math.min(search, MAX_SEARCH_STEPS)
  }, 1)
}

const countBytes = (text: string) => new TextEncoder().encode(text).length

export const computeMaxMembers = (steps: number): number => Math.floor(MAX_RULE_WORK / Math.max(steps, 1))
