export interface ExplainedStatement {
  text: string
  names: readonly string[]
  /** `src/…/queries.ts:75` for the statement and for each guard in it. */
  places: readonly string[]
  plan: readonly string[]
  rowsRead: number
  rowsWritten: number
  rowsReturned: number
}

declare module 'vitest' {
  interface TaskMeta {
    batches?: ExplainedStatement[][]
    nearIds?: string[]
  }
}

const MAX_SQL_LINE_WIDTH = 100
const SQL_TOKEN_PATTERN = /'(?:[^']|'')*'|"[^"]*"|[\w.]+|\s+|[^\s\w'"]/g
// A clause begins a line, and a continuation begins an indented line.
const CLAUSE_KEYWORDS = new Set(
  'SELECT FROM LEFT CROSS JOIN WHERE GROUP HAVING ORDER LIMIT UNION SET VALUES RETURNING WHEN ELSE'.split(' '),
)
const CONTINUATION_KEYWORDS = new Set('AND OR ON'.split(' '))
const CONTINUED_CLAUSE_PATTERN = /\b(?:INSERT|DELETE|DISTINCT|LEFT|CROSS|BETWEEN\s+\S+)\s*$/i
const TIGHT_TOKEN_PATTERN = /'(?:[^']|'')*'|"[^"]*"|,(?! )|(?<![<>!= ])=(?![= ])|\b(?!CAST\b)[A-Z]+(?=[('])|\)(?=\w)/g

interface TokenGroup {
  open: string
  parts: TokenOrGroup[]
  close: string
}
type TokenOrGroup = string | TokenGroup

export function formatSql(text: string): string {
  const tokens = addSpaces(text).match(SQL_TOKEN_PATTERN) ?? []
  return layOutLines(groupTokens(tokens), 0).join('\n')
}

const addSpaces = (text: string) =>
  text.replace(TIGHT_TOKEN_PATTERN, (part) => {
    if (part === '=') return ' = '
    return /^['"]/.test(part) ? part : `${part} `
  })

function groupTokens(tokens: string[], close = ''): TokenOrGroup[] {
  const parts: TokenOrGroup[] = []
  for (let token = tokens.shift(); token !== undefined; token = tokens.shift()) {
    if (token.toUpperCase() === close) break
    const closing = token === '(' ? ')' : token.toUpperCase() === 'CASE' ? 'END' : undefined
    parts.push(closing ? { open: token, parts: groupTokens(tokens, closing), close: closing } : token)
  }
  return parts
}

const flattenTokens = (parts: readonly TokenOrGroup[]): string =>
  parts.map((part) => (typeof part === 'string' ? part : part.open + flattenTokens(part.parts) + part.close)).join('')

function layOutLines(parts: readonly TokenOrGroup[], indent: number): string[] {
  const line = ' '.repeat(indent) + flattenTokens(parts).trim()
  if (line.length <= MAX_SQL_LINE_WIDTH) return line.trim() ? [line] : []
  const clauses = splitTokensBefore(parts, isLineBreakBefore)
  if (clauses.length > 1)
    return clauses.flatMap((clause) =>
      layOutLines(clause, indent + (isContinuationKeyword(firstVisibleToken(clause)) ? 2 : 0)),
    )
  const items = splitTokensBefore(parts, (_, before) => before === ',')
  const itemIndent = isKeywordIn(CLAUSE_KEYWORDS, firstVisibleToken(parts)) ? indent + 2 : indent
  if (items.length > 1) return items.flatMap((item, n) => layOutLines(item, n ? itemIndent : indent))
  return expandTokenGroups(parts, indent)
}

function expandTokenGroups(parts: readonly TokenOrGroup[], indent: number): string[] {
  const lines: string[] = []
  let line = ' '.repeat(indent)
  for (const part of parts) {
    const flat = flattenTokens([part])
    if (typeof part === 'string' || line.length + flat.length <= MAX_SQL_LINE_WIDTH) {
      line += line.trim() ? flat : flat.trimStart()
      continue
    }
    lines.push(line + part.open, ...layOutLines(part.parts, indent + 2))
    line = ' '.repeat(indent) + part.close
  }
  return [...lines, line].map((text) => text.trimEnd())
}

function splitTokensBefore(
  parts: readonly TokenOrGroup[],
  isStart: (part: TokenOrGroup, before: TokenOrGroup | undefined, text: string) => boolean,
) {
  const pieces: TokenOrGroup[][] = [[]]
  let text = ''
  for (const [n, part] of parts.entries()) {
    if (text.trim() && isStart(part, parts[n - 1], text)) pieces.push([])
    pieces.at(-1)?.push(part)
    text += flattenTokens([part])
  }
  return pieces
}

const isKeywordIn = (words: ReadonlySet<string>, part: TokenOrGroup | undefined) =>
  typeof part === 'string' && words.has(part.toUpperCase())
const firstVisibleToken = (parts: readonly TokenOrGroup[]) =>
  parts.find((part) => typeof part !== 'string' || part.trim())
const isContinuationKeyword = (part: TokenOrGroup | undefined) => isKeywordIn(CONTINUATION_KEYWORDS, part)
const isLineBreakBefore = (part: TokenOrGroup, _: TokenOrGroup | undefined, text: string) =>
  (isKeywordIn(CLAUSE_KEYWORDS, part) || isContinuationKeyword(part)) && !CONTINUED_CLAUSE_PATTERN.test(text)

export function formatStatement(statement: ExplainedStatement, place: string): string {
  const { text, names, places, plan, rowsRead, rowsWritten, rowsReturned } = statement
  const values = names.map((name, n) => `?${n + 1} ${name}`).join(', ')
  return [
    `Statement ${place}, made at ${places[0] ?? 'an unknown place'}`,
    ...(places.length > 1 ? [`  guards: ${places.slice(1).join(', ')}`] : []),
    '',
    indentLines(formatSql(text)),
    '',
    ...(values ? [`  values: ${values}`] : []),
    `  plan:`,
    ...(plan.length ? plan : ['nothing is searched']).map((step) => `    ${step}`),
    `  rows: ${rowsRead} read, ${rowsWritten} written, ${rowsReturned} returned`,
    '',
  ].join('\n')
}

const indentLines = (text: string) => text.replace(/^/gm, '  ')
