import type { AnyOperation } from '../http/operation'
import { hasScope } from '../http/token'
import type { JsonObject } from '../openapi/schemas'
import { callOperation, errorResult, type InnerFetch, type ToolResult, textResult } from './call'
import { describeInput } from './input'
import { type Allowance, findNeededAllowance, needsFile } from './permissions'

/** The operations that assistants use most. All others are one `find_operation` away. */
export const CURATED_IDS = [
  ...['searchRecords', 'getTrace', 'listProducts'],
  ...['getBacklog', 'listAllWorkItems', 'getWorkItem', 'createEpic', 'createFeature', 'createUserStory'],
  ...['modifyEpic', 'modifyFeature', 'modifyUserStory', 'moveWorkItem', 'addItemComment'],
  ...['listFeedbackItems', 'getFeedbackItem', 'listSimilarFeedbackItems', 'createFeedbackItem', 'modifyFeedbackItem'],
  ...['createStatusUpdate', 'addComment', 'promoteFeedbackItem'],
  ...['listKpis', 'getKpiTrend', 'listSegments', 'previewSegment'],
] as const

export interface Assistant {
  operations: readonly AnyOperation[]
  scopes: readonly string[]
  allowed: ReadonlySet<Allowance>
  fetch: InnerFetch
}

interface Tool {
  name: string
  title: string
  description: string
  inputSchema: JsonObject & { type: 'object' }
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean }
}

const onlyReads = ({ method, scope }: AnyOperation) => method === 'get' || scope?.endsWith(':read') === true

const annotate = (op: AnyOperation): Tool['annotations'] => ({
  readOnlyHint: onlyReads(op),
  destructiveHint: op.method === 'delete',
  idempotentHint: op.method !== 'post',
  openWorldHint: false,
})

const toTool = (op: AnyOperation): Tool => ({
  name: op.id,
  title: op.summary,
  description: [op.summary, op.description].filter(Boolean).join('. '),
  inputSchema: describeInput(op).schema as Tool['inputSchema'],
  annotations: annotate(op),
})

const FIND_TOOL: Tool = {
  name: 'find_operation',
  title: 'Find an operation of the API',
  description:
    'Finds operations by words, such as "export kpi" or "merge ideas". With the exact name of an operation, the answer has its description and the schema of its input.',
  inputSchema: {
    type: 'object',
    properties: { query: { type: 'string', description: 'Words, or the name of an operation.' } },
    required: ['query'],
  },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
}

const CALL_TOOL: Tool = {
  name: 'call_operation',
  title: 'Call an operation of the API',
  description: 'Calls any operation by its name. Find the name and the input with find_operation first.',
  inputSchema: {
    type: 'object',
    properties: {
      operation: { type: 'string', description: 'Name of the operation, such as mergeTag.' },
      input: { type: 'object', description: 'Input as find_operation describes it.' },
    },
    required: ['operation'],
  },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
}

const isCallable = (op: AnyOperation, { scopes }: Assistant) =>
  !needsFile(op) && (op.scope === undefined || hasScope(scopes, op.scope))

/** The tools that the key and the URL allow. */
export function listTools(assistant: Assistant): Tool[] {
  const curated = CURATED_IDS.flatMap((id) => assistant.operations.find((op) => op.id === id) ?? [])
  const tools = curated.filter((op) => {
    const needed = findNeededAllowance(op)
    return isCallable(op, assistant) && (needed === undefined || assistant.allowed.has(needed))
  })
  return [...tools.map(toTool), FIND_TOOL, CALL_TOOL]
}

export async function callTool(
  { name, arguments: input = {} }: { name: string; arguments?: Record<string, unknown> | undefined },
  assistant: Assistant,
): Promise<ToolResult> {
  if (name === FIND_TOOL.name) return findOperation(String(input.query ?? ''), assistant)
  const id = name === CALL_TOOL.name ? String(input.operation) : name
  const op = assistant.operations.find((one) => one.id === id)
  if (!op) return errorResult(`There is no operation ${id}. Use find_operation.`)
  const given = name === CALL_TOOL.name ? input.input : input
  return callOperation(op, Object(given ?? {}) as Record<string, unknown>, assistant)
}

const MAX_FOUND = 10

function findOperation(query: string, assistant: Assistant): ToolResult {
  const exact = assistant.operations.find(({ id }) => id === query.trim())
  if (exact) {
    const needs = findNeededAllowance(exact)
    return textResult({
      ...{ operation: exact.id, summary: exact.summary, description: exact.description, scope: exact.scope },
      ...(needs && { needs: `allow=${needs} in the URL of this server` }),
      ...(needsFile(exact) ? { note: 'Takes or returns a file: call the API instead.' } : {}),
      input: describeInput(exact).schema,
    })
  }
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const ranked = assistant.operations
    .map((op) => ({ op, score: scoreOperation(op, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_FOUND)
  if (!ranked.length) return errorResult('No operation has these words. Use other words, such as "epic" or "vote".')
  return textResult(ranked.map(({ op: { id, summary } }) => ({ operation: id, summary })))
}

/** A word in the name counts most, then in the summary, then in the description. Each word counts once. */
function scoreOperation({ id, summary, description = '', tag }: AnyOperation, words: readonly string[]): number {
  const name = id.replace(/[A-Z]/g, (letter) => ` ${letter}`).toLowerCase()
  const [short, long] = [`${summary} ${tag}`.toLowerCase(), description.toLowerCase()]
  const scores = words.map((word) => {
    const stem = word.length > 3 ? word.replace(/s$/, '') : word
    return name.includes(stem) ? 9 : short.includes(stem) ? 4 : long.includes(stem) ? 1 : 0
  })
  return scores.reduce((sum: number, score) => sum + score, 0)
}
