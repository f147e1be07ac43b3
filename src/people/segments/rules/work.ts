import { ownName } from './attributes'

/**
 * Steps of one evaluation: members times the steps of the rules. A step takes at most about 4 µs (SQLite 3.53, 100
 * attributes a member), so an evaluation takes at most about 5 s. Attribute names with a quote or a backslash take
 * the most: SQLite compares them letter by letter. Other names take a third.
 */
export const MAX_WORK = 1_250_000
/** Steps for one member: a page of a list evaluates 10,000 members. */
export const MAX_STEPS = 200
/** Steps of all segments on one page of a list with users: a page fits a workspace of 31,250 members. */
export const MAX_PAGE_STEPS = 40
/** SQLite nests 100 expressions at most. */
const MAX_LETTERS = 40

/** The budget, for the documentation. */
export const BUDGET = `Rules have a budget: the members of the workspace times the steps of the rules are at most ${MAX_WORK.toLocaleString('en-US')}, and the steps at most ${MAX_STEPS}. A condition is a step; 16 characters of an attribute's name, 100 values of a list, 4 letters beyond a to z, and 100 characters of a text are one more each. Rules beyond the budget are a 400.`

export const TOO_MANY_STEPS = `The rules take more than ${MAX_STEPS} steps for each member. Use fewer conditions, shorter lists, or shorter texts and attribute names.`
export const TOO_MUCH_WORK =
  'The rules take too much work for so many members. Use fewer conditions, shorter lists, or shorter texts and attribute names.'

export const TOO_MUCH_PAGE_WORK =
  'The rules of the segments on this page take too much work for so many members. Set a smaller limit, or simplify the rules: GET /api/v2/segments shows them.'

const NOT_ASCII = /[^\u0000-\u007f]/gu

/** The lower-case form of one letter. Final sigma is a sigma. A letter whose cases differ in length stays. */
function foldLetter(letter: string): string {
  const upper = letter.toUpperCase()
  const lower = (isOne(upper) ? upper : letter).toLowerCase()
  return isOne(lower) && lower > '\u007f' ? lower : letter
}

const isOne = (text: string) => [...text].length === 1

/** A text in lower case, letter by letter, as the database folds stored texts. */
export const foldCase = (text: string): string =>
  text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).replace(NOT_ASCII, foldLetter)

/** Letters whose other form is not their upper case alone. */
const FURTHER: Readonly<Record<string, string>> = { σ: 'ς', ß: 'ẞ', μ: 'µ' }

/** The stored letters that stand for letters of folded texts, each followed by its folded form. */
export function letterPairs(folded: unknown): string[] {
  const texts = Array.isArray(folded) ? folded : [folded]
  const letters = new Set(texts.flatMap((text) => (typeof text === 'string' ? (text.match(NOT_ASCII) ?? []) : [])))
  return [...letters].flatMap((letter) => {
    const forms = new Set([letter.toUpperCase(), FURTHER[letter] ?? letter])
    return [...forms].filter((form) => form !== letter && isOne(form)).flatMap((form) => [form, letter])
  })
}

/** Why a condition has too many letters to fold, or undefined. */
export const letterProblem = (value: unknown): string | undefined =>
  letterPairs(Array.isArray(value) ? value.map((one) => foldCase(String(one))) : foldCase(String(value))).length / 2 >
  MAX_LETTERS
    ? `Must have at most ${MAX_LETTERS} different letters beyond a to z. Divide the condition.`
    : undefined

/**
 * The steps that conditions take for each member. A condition is a step; so are 16 characters of an attribute's name, 100
 * values of a list, 4 letters to fold, and 100 characters to find.
 */
export function stepsOf(conditions: readonly { attribute: string; value?: unknown }[]): number {
  return conditions.reduce((sum, { attribute, value }) => {
    const name = Math.floor((ownName(attribute)?.length ?? 0) / 16)
    const values = Array.isArray(value) ? Math.floor(value.length / 100) : 0
    const texts = (Array.isArray(value) ? value.map(String) : [String(value ?? '')]).map(foldCase)
    const letters = Math.ceil(letterPairs(texts).length / 8)
    const characters = Array.isArray(value) ? 0 : Math.floor((texts[0]?.length ?? 0) / 100)
    return sum + 1 + name + values + letters + characters
  }, 1)
}

/** How many members rules may be evaluated over in one request. */
export const maxMembersFor = (steps: number): number => Math.floor(MAX_WORK / Math.max(steps, 1))
