import type { Issue } from '../text/errors'

const MAX_WORD_CHARACTERS = 10

export const createInvalidValueIssue = (path: string, message: string): Issue => ({
  path,
  code: 'invalid_value',
  message,
})

export const BODY_OF_DELETE_MESSAGE = 'A delete has no body. Leave body out.'

export const isObject = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)

const tooLongMessage = (max: number) => `Must have at most ${max} characters`

function findWordProblem(given: unknown, words: readonly string[]): string | undefined {
  if (typeof given === 'string' && given.length > MAX_WORD_CHARACTERS) return tooLongMessage(MAX_WORD_CHARACTERS)
  return words.includes(given as string) ? undefined : `Must be one of ${words.join(', ')}`
}

function findTextProblem(given: unknown, max: number): string | undefined {
  if (given === undefined) return undefined
  if (typeof given !== 'string' || given === '') return 'Must be a non-empty text'
  return given.length > max ? tooLongMessage(max) : undefined
}

interface EnvelopeShape {
  /** Allowed words of required members. */
  words: Readonly<Record<string, readonly string[]>>
  /** Longest texts of optional members. */
  texts: Readonly<Record<string, number>>
  example: string
}

/** Validates an operation of a bulk request by hand, because a schema is slower for a thousand operations. */
export function findEnvelopeIssues(given: unknown, { words, texts, example }: EnvelopeShape): Issue[] {
  if (!isObject(given)) return [createInvalidValueIssue('', `Must be an operation, like ${example}`)]
  const { body } = given
  const problems: Record<string, string | undefined> = {
    ...Object.fromEntries(Object.entries(words).map(([name, all]) => [name, findWordProblem(given[name], all)])),
    ...Object.fromEntries(Object.entries(texts).map(([name, max]) => [name, findTextProblem(given[name], max)])),
    body: body === undefined || isObject(body) ? undefined : 'Must be an object',
  }
  return Object.entries(problems).flatMap(([name, problem]) =>
    problem ? [createInvalidValueIssue(`/${name}`, problem)] : [],
  )
}

/** Returns a function that finds operations without a key, and operations on the record of an earlier operation. */
export function createTargetCheck(): (op: string, externalKey: string | undefined, index: number) => Issue[] {
  const indexes = new Map<string, number>()
  return (op, externalKey, index) => {
    if (externalKey === undefined)
      return [createInvalidValueIssue('/externalKey', `Must be the external key of the item to ${op}`)]
    const before = indexes.get(externalKey)
    if (before !== undefined)
      return [createInvalidValueIssue('/externalKey', `The operation at index ${before} already names this item`)]
    indexes.set(externalKey, index)
    return []
  }
}
