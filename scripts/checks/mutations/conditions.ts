// Finds the conditions in the SQL of a source file. A mutation takes out a condition, or moves a boundary.
import { parseSync } from 'vite'

export interface Mutation {
  file: string
  line: number
  kind: 'condition' | 'boundary'
  /** The condition, or the comparison with its neighbors, on one line. */
  text: string
  start: number
  end: number
  replacement: string
}

export const applyMutation = (source: string, { start, end, replacement }: Mutation): string =>
  source.slice(0, start) + replacement + source.slice(end)

export interface SyntaxNode {
  type: string
  start: number
  end: number
  name?: string
  tag?: SyntaxNode
  quasi?: SyntaxNode
  expressions?: SyntaxNode[]
  key?: SyntaxNode
  /** A node, or the value of a literal. */
  value?: unknown
  properties?: SyntaxNode[]
}

export const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value

/** The node and all nodes in it. */
export function* listNodes(node: SyntaxNode): Generator<SyntaxNode> {
  yield node
  for (const value of Object.values(node)) {
    for (const one of Array.isArray(value) ? value : [value]) if (isNode(one)) yield* listNodes(one)
  }
}

/** Stands for each character of an expression inside a template. */
const EXPRESSION = '\u0001'

/** Texts of a template: expressions and SQL texts are masked, so that each character keeps its place. */
function maskTemplate(source: string, { start, end, expressions = [] }: SyntaxNode): string {
  let masked = source.slice(start + 1, end - 1)
  const cover = (from: number, to: number, mask: string) => {
    masked = masked.slice(0, from) + mask.repeat(to - from) + masked.slice(to)
  }
  for (const expression of expressions) {
    const from = source.lastIndexOf('${', expression.start)
    cover(from - start - 1, source.indexOf('}', expression.end) - start, EXPRESSION)
  }
  for (const { 0: text, index } of masked.matchAll(/'(?:[^']|'')*'/g)) cover(index, index + text.length, '_')
  return masked
}

interface Token {
  text: string
  start: number
  end: number
}

const SIGN_PATTERNS = ['->>', '->', '<<', '>>', '<>', '<=', '>=', '!=', '\\|\\|']
const TOKEN_PATTERN = new RegExp(`${EXPRESSION}+|\\w+|${SIGN_PATTERNS.join('|')}|\\S`, 'g')

const tokenize = (masked: string): Token[] =>
  Array.from(masked.matchAll(TOKEN_PATTERN), ({ 0: text, index }) => ({
    text: /^[a-z]/i.test(text) ? text.toUpperCase() : text,
    start: index,
    end: index + text.length,
  }))

const words = (text: string) => new Set(text.split(' '))

/** Words that end a condition. */
const ENDS = words(
  `OR WHERE ON HAVING WHEN THEN ELSE SELECT FROM JOIN LEFT INNER CROSS GROUP ORDER LIMIT OFFSET RETURNING UNION EXCEPT
  INTERSECT SET VALUES AS DO UPDATE DELETE INSERT WITH WINDOW PARTITION BY INDEXED USING FILTER DESC ASC DISTINCT ALL
  MATERIALIZED INTO , ;`.replaceAll(/\s+/g, ' '),
)
/** Words that something follows. */
const OPERATORS = words('NOT IS IN LIKE GLOB MATCH BETWEEN EXISTS AND CASE COLLATE ESCAPE REGEXP')
const BEGINNINGS = words('( CASE')
const CLOSINGS = words(') END')

/** Whether an expression after the token begins another clause, such as a join. */
function endsOperand({ text }: Token): boolean {
  if (ENDS.has(text) || OPERATORS.has(text)) return false
  return text === ')' || text === 'END' || text[0] === EXPRESSION || /^\w/.test(text)
}

interface Operand {
  start: number
  end: number
}

interface Frame {
  /** Operands of AND, each undefined before its first token. */
  chain: (Operand | undefined)[]
  /** Starts of the words AND between the operands. */
  ands: number[]
  isBetween: boolean
  last: Token | undefined
}

const createFrame = (): Frame => ({ chain: [undefined], ands: [], isBetween: false, last: undefined })

/** The places of each operand of AND, together with the word that joins the operand. */
function listRemovals({ chain, ands }: Frame): { operand: Operand; start: number; end: number }[] {
  if (chain.length < 2) return []
  return chain.flatMap((operand, n) => {
    if (!operand) return []
    const next = chain[n + 1]
    if (n === 0) return next ? [{ operand, start: operand.start, end: next.start }] : []
    const before = chain[n - 1]
    return [{ operand, start: before ? before.end : (ands[n - 1] ?? operand.start), end: operand.end }]
  })
}

/** Splits SQL into the operands of its ANDs, at each depth of parentheses and CASE. */
export function findOperands(masked: string): { operand: Operand; start: number; end: number }[] {
  const found: { operand: Operand; start: number; end: number }[] = []
  const frames = [createFrame()]
  const current = () => frames.at(-1) ?? createFrame()
  const endChain = () => {
    const frame = current()
    found.push(...listRemovals(frame))
    Object.assign(frame, createFrame())
  }
  const extend = (token: Token) => {
    const frame = current()
    const { chain } = frame
    const operand = chain.at(-1)
    if (operand) operand.end = token.end
    else chain[chain.length - 1] = { start: token.start, end: token.end }
    frame.last = token
  }
  for (const token of tokenize(masked)) {
    const frame = current()
    if (CLOSINGS.has(token.text) && frames.length > 1) {
      endChain()
      frames.pop()
      extend(token)
    } else if (token.text === 'AND' && frame.isBetween) {
      frame.isBetween = false
      extend(token)
    } else if (token.text === 'AND') {
      frame.ands.push(token.start)
      frame.chain.push(undefined)
      frame.last = token
    } else if (ENDS.has(token.text) || CLOSINGS.has(token.text)) endChain()
    else {
      if (token.text[0] === EXPRESSION && frame.last && endsOperand(frame.last)) endChain()
      extend(token)
      current().isBetween ||= token.text === 'BETWEEN'
      if (BEGINNINGS.has(token.text)) frames.push(createFrame())
    }
  }
  while (frames.length) {
    endChain()
    frames.pop()
  }
  return found
}

const OTHER_BOUNDARY: Record<string, string> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }

const toLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** Mutations of the SQL in a file, in the order of their places. */
export function findMutations(file: string, source: string): Mutation[] {
  const { program } = parseSync(file, source)
  const mutations: Mutation[] = []
  const lineOf = (place: number) => source.slice(0, place).split('\n').length
  for (const { type, tag, quasi } of listNodes(program as SyntaxNode)) {
    if (type !== 'TaggedTemplateExpression' || tag?.name !== 'sql' || !quasi) continue
    const offset = quasi.start + 1
    const masked = maskTemplate(source, quasi)
    for (const { operand, start, end } of findOperands(masked)) {
      const text = toLine(source.slice(offset + operand.start, offset + operand.end))
      const place = { start: offset + start, end: offset + end, line: lineOf(offset + operand.start) }
      mutations.push({ file, kind: 'condition', text, ...place, replacement: '' })
    }
    const tokens = tokenize(masked)
    for (const [n, token] of tokens.entries()) {
      const replacement = OTHER_BOUNDARY[token.text]
      const [before, after] = [tokens[n - 1], tokens[n + 1]]
      if (replacement === undefined || !before || !after) continue
      const text = toLine(source.slice(offset + before.start, offset + after.end))
      const place = { start: offset + token.start, end: offset + token.end, line: lineOf(offset + token.start) }
      mutations.push({ file, kind: 'boundary', text, ...place, replacement })
    }
  }
  return mutations.sort((a, b) => a.start - b.start || a.end - b.end)
}
