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

// Meta data of the test in test/contract/print-statements.ts.
declare module 'vitest' {
  interface TaskMeta {
    /** Statements of each batch. */
    batches?: ExplainedStatement[][]
    /** Similar ids, if no operation has the id. */
    nearIds?: string[]
  }
}

const WIDTH = 100
const TOKENS = /'(?:[^']|'')*'|"[^"]*"|[\w.]+|\s+|[^\s\w'"]/g
// A clause begins a line, and a continuation begins an indented line.
const CLAUSES = new Set(
  'SELECT FROM LEFT CROSS JOIN WHERE GROUP HAVING ORDER LIMIT UNION SET VALUES RETURNING WHEN ELSE'.split(' '),
)
const CONTINUATIONS = new Set('AND OR ON'.split(' '))
const CONTINUED = /\b(?:INSERT|DELETE|DISTINCT|LEFT|CROSS|BETWEEN\s+\S+)\s*$/i
const TIGHT = /'(?:[^']|'')*'|"[^"]*"|,(?! )|(?<![<>!= ])=(?![= ])|\b(?!CAST\b)[A-Z]+(?=[('])|\)(?=\w)/g

interface Group {
  open: string
  parts: Part[]
  close: string
}
type Part = string | Group

export function formatSql(text: string): string {
  const tokens = spaceOut(text).match(TOKENS) ?? []
  return layout(parse(tokens), 0).join('\n')
}

/** Adds the spaces that `shortenSql` removes. */
const spaceOut = (text: string) =>
  text.replace(TIGHT, (part) => {
    if (part === '=') return ' = '
    return /^['"]/.test(part) ? part : `${part} `
  })

function parse(tokens: string[], close = ''): Part[] {
  const parts: Part[] = []
  for (let token = tokens.shift(); token !== undefined; token = tokens.shift()) {
    if (token.toUpperCase() === close) break
    const closing = token === '(' ? ')' : token.toUpperCase() === 'CASE' ? 'END' : undefined
    parts.push(closing ? { open: token, parts: parse(tokens, closing), close: closing } : token)
  }
  return parts
}

const flatten = (parts: readonly Part[]): string =>
  parts.map((part) => (typeof part === 'string' ? part : part.open + flatten(part.parts) + part.close)).join('')

function layout(parts: readonly Part[], indent: number): string[] {
  const line = ' '.repeat(indent) + flatten(parts).trim()
  if (line.length <= WIDTH) return line.trim() ? [line] : []
  const clauses = splitBefore(parts, isBreak)
  if (clauses.length > 1)
    return clauses.flatMap((clause) => layout(clause, indent + (isContinuation(firstOf(clause)) ? 2 : 0)))
  const items = splitBefore(parts, (_, before) => before === ',')
  const itemIndent = isWord(CLAUSES, firstOf(parts)) ? indent + 2 : indent
  if (items.length > 1) return items.flatMap((item, n) => layout(item, n ? itemIndent : indent))
  return expandGroups(parts, indent)
}

function expandGroups(parts: readonly Part[], indent: number): string[] {
  const lines: string[] = []
  let line = ' '.repeat(indent)
  for (const part of parts) {
    const flat = flatten([part])
    if (typeof part === 'string' || line.length + flat.length <= WIDTH) {
      line += line.trim() ? flat : flat.trimStart()
      continue
    }
    lines.push(line + part.open, ...layout(part.parts, indent + 2))
    line = ' '.repeat(indent) + part.close
  }
  return [...lines, line].map((text) => text.trimEnd())
}

function splitBefore(parts: readonly Part[], isStart: (part: Part, before: Part | undefined, text: string) => boolean) {
  const pieces: Part[][] = [[]]
  let text = ''
  for (const [n, part] of parts.entries()) {
    if (text.trim() && isStart(part, parts[n - 1], text)) pieces.push([])
    pieces.at(-1)?.push(part)
    text += flatten([part])
  }
  return pieces
}

const isWord = (words: ReadonlySet<string>, part: Part | undefined) =>
  typeof part === 'string' && words.has(part.toUpperCase())
const firstOf = (parts: readonly Part[]) => parts.find((part) => typeof part !== 'string' || part.trim())
const isContinuation = (part: Part | undefined) => isWord(CONTINUATIONS, part)
const isBreak = (part: Part, _: Part | undefined, text: string) =>
  (isWord(CLAUSES, part) || isContinuation(part)) && !CONTINUED.test(text)

export function formatStatement(statement: ExplainedStatement, place: string): string {
  const { text, names, places, plan, rowsRead, rowsWritten, rowsReturned } = statement
  const values = names.map((name, n) => `?${n + 1} ${name}`).join(', ')
  return [
    `Statement ${place}, made at ${places[0] ?? 'an unknown place'}`,
    ...(places.length > 1 ? [`  guards: ${places.slice(1).join(', ')}`] : []),
    '',
    indented(formatSql(text)),
    '',
    ...(values ? [`  values: ${values}`] : []),
    `  plan:`,
    ...(plan.length ? plan : ['nothing is searched']).map((step) => `    ${step}`),
    `  rows: ${rowsRead} read, ${rowsWritten} written, ${rowsReturned} returned`,
    '',
  ].join('\n')
}

const indented = (text: string) => text.replace(/^/gm, '  ')
