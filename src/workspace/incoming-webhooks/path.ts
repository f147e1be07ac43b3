/*
 * Subset of JSONPath (RFC 9535) that names one value: members, positions, also from the end, and the first item of a list
 * whose member has a value.
 */

const NAME = String.raw`[\p{L}_][\p{L}\p{M}\p{N}_\-]*`
const QUOTED = String.raw`'(?:[^'\\]|\\['"\\])+'|"(?:[^"\\]|\\['"\\])+"`
const POSITION = '-?\\d{1,6}'
const MEMBERS = String.raw`(?:\.${NAME}|\[(?:${QUOTED})\])+`
const LITERAL = String.raw`${QUOTED}|-?\d{1,15}(?:\.\d{1,15})?|true|false|null`
const COMPARISON = `@(?:${MEMBERS}) *== *(?:${LITERAL})`
const STEP = String.raw`\.${NAME}|\[(?:${POSITION}|${QUOTED}|\?(?:\( *${COMPARISON} *\)|${COMPARISON}))\]`

export const JSON_PATH_PATTERN = new RegExp(String.raw`^\$(?:${STEP})*$`, 'u')

const STEP_PATTERN = new RegExp(
  String.raw`\.(?<member>${NAME})|\[(?:(?<position>${POSITION})|(?<quoted>${QUOTED})|\?\(? *@(?<members>${MEMBERS}) *== *(?<literal>${LITERAL}) *\)?)\]`,
  'gu',
)

const unquote = (quoted: string): string => quoted.slice(1, -1).replace(/\\(.)/gu, '$1')

const WORDS: Readonly<Record<string, unknown>> = { true: true, false: false, null: null }

const readLiteral = (literal: string): unknown =>
  /^['"]/.test(literal) ? unquote(literal) : Object.hasOwn(WORDS, literal) ? WORDS[literal] : Number(literal)

function readMember(value: unknown, name: string): unknown {
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}

/** The first item of a list whose member equals the literal. */
const findItem = (value: unknown, members: string, literal: string): unknown => {
  const wanted = readLiteral(literal)
  return Array.isArray(value) ? value.find((item) => findValueAtPath(item, `$${members}`) === wanted) : undefined
}

/** The value at a path that `JSON_PATH_PATTERN` accepts; undefined if nothing is there. */
export function findValueAtPath(value: unknown, path: string): unknown {
  let found = value
  for (const { groups = {} } of path.matchAll(STEP_PATTERN)) {
    const { member, position, quoted, members, literal } = groups
    if (members !== undefined && literal !== undefined) found = findItem(found, members, literal)
    else if (position?.startsWith('-')) found = Array.isArray(found) ? found.at(Number(position)) : undefined
    else found = readMember(found, member ?? position ?? unquote(quoted ?? ''))
    if (found === undefined) return undefined
  }
  return found
}
